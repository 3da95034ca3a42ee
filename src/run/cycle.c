#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/disk_guard.h"
#include "base/log.h"
#include "build_info.h"
#include "eval/arch.h"
#include "run/cycle_private.h"
#include "run/cycle_samples.h"
#include "run/run_check.h"
#include "run/run_lock.h"
#include "run/trainers.h"

enum {
    LEAST_RESERVE = 1 << 20, /* bytes: with less nothing can be written for certain */
    IO_TRIES = 5,            /* in a row, where there is room and yet nothing can be written */
    PAUSE_LEAST_MS = 500,    /* before the first of them; twice as long before each further one */
    PAUSE_MOST_MS = 4000,
    KEEP_SECONDS = 2, /* of self-play, between totals into the index: so much a kill can take */
};

int64_t cycle_samples(const Cycle *cycle) {
    return cycle->trainer ? trainer_samples(cycle->trainer) : cycle->samples_known;
}

double cycle_seconds(const Cycle *cycle) {
    return cycle->seconds_before + clock_seconds() - cycle->started;
}

double cycle_compute(const Cycle *cycle) {
    int64_t evaluations = atomic_load_explicit(&cycle->evaluations, memory_order_relaxed);
    return cycle->compute + cycle->cost * (double)(evaluations - cycle->counted);
}

void cycle_count_compute(Cycle *cycle) {
    cycle->compute = cycle_compute(cycle);
    cycle->counted = atomic_load(&cycle->evaluations);
    cycle->cost = cycle->net
                      ? program_multiply_adds(net_program(cycle->net), cycle->length, cycle->length)
                      : 0;
}

void cycle_limit_compute(Cycle *cycle, double multiply_adds, bool at_net) {
    cycle->compute_limit = multiply_adds;
    cycle->limit_at_net = at_net;
}

bool cycle_spent(const Cycle *cycle) {
    return cycle->compute_limit > 0 && cycle_compute(cycle) >= cycle->compute_limit;
}

bool cycle_must_stop(const Cycle *cycle) {
    return stop_requested() || (cycle->deadline > 0 && clock_seconds() >= cycle->deadline) ||
           (!cycle->limit_at_net && cycle_spent(cycle));
}

/* Into the index, of which `compute` is then known; the process that trains keeps the rest. */
static Status write_totals(Cycle *cycle, double compute, Error *err) {
    const struct {
        const char *name;
        double value;
    } ALL[] = {{"seconds", cycle_seconds(cycle)},
               {"evaluations", (double)atomic_load(&cycle->evaluations)}};
    Status status = run_index_begin(cycle->index, err);
    if (status) return status;
    status = run_index_add_value(cycle->index, COMPUTE_FACT, compute - cycle->compute_kept, err);
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && cycle->training >= 0 && !status; i++)
        status = run_index_set_value(cycle->index, ALL[i].name, ALL[i].value, err);
    status = run_index_end(cycle->index, status, err);
    if (!status) cycle->compute_kept = compute;
    return status;
}

void cycle_keep_meanwhile(Cycle *cycle) {
    double now = clock_seconds();
    if (!cycle->index || now < cycle->next_keep) return;
    cycle->next_keep = now + KEEP_SECONDS;
    run_index_wait(cycle->index, false); /* games do not wait for another process's writing */
    Status status = write_totals(cycle, cycle_compute(cycle), NULL);
    (void)status; /* another time, and the end of the phase tells */
    run_index_wait(cycle->index, true);
}

Status cycle_keep_totals(Cycle *cycle, Error *err) {
    cycle_count_compute(cycle);
    if (!cycle->index) return OK;
    Status status = write_totals(cycle, cycle->compute, err);
    if (status) return status;
    double known = run_index_value(cycle->index, COMPUTE_FACT); /* 0 where it cannot be read */
    cycle->compute = cycle->compute_kept = fmax(known, cycle->compute);
    int64_t games = (int64_t)run_index_value(cycle->index, GAMES_FACT);
    if (games > cycle->games) cycle->games = games;
    return OK;
}

static bool must_stop(const void *cycle) {
    return cycle_must_stop(cycle);
}

Status cycle_wait_for_room(Cycle *cycle, Error *err) {
    int64_t reserve = cycle->config.run.disk_reserve_mb << 20;
    Status status = disk_guard_wait(
        &(DiskGuard){.path = cycle->directory.root.text,
                     .reserve_bytes = reserve < LEAST_RESERVE ? LEAST_RESERVE : reserve,
                     .setting = "run.disk_reserve_mb",
                     .must_stop = must_stop,
                     .context = cycle},
        err);
    if (status) return status;
    return stop_requested() ? fail(err, ERR_STOPPED, "stopped") : OK;
}

Status cycle_try_again(Cycle *cycle, Status status, Failures *failures, const Error *fault,
                       Error *err) {
    int most = failures->most ? failures->most : IO_TRIES, pause_ms = PAUSE_LEAST_MS;
    if (status == ERR_IO && stop_requested()) return fail(err, ERR_STOPPED, "stopped");
    if (status != ERR_IO || ++failures->count >= most || cycle_must_stop(cycle))
        return fail(err, status, "%s", fault->message);
    log_warning("%s; it is tried again", fault->message);
    for (int i = 1; i < failures->count && pause_ms < PAUSE_MOST_MS; i++)
        pause_ms *= 2;
    for (int slept = 0; slept < pause_ms && !cycle_must_stop(cycle); slept += 100)
        clock_sleep_ms(100);
    return cycle_wait_for_room(cycle, err);
}

/* Whoever held it before may have left newer checkpoints. */
Status cycle_hold_training(Cycle *cycle, Error *err) {
    if (cycle->training >= 0) return OK;
    Status status = run_lock_work(cycle->directory.root.text, "train.lock", "trains on this run",
                                  &cycle->training, err);
    return status || !cycle->trainer ? status : trainers_renew(cycle, err);
}

Status cycle_hold_gating(Cycle *cycle, Error *err) {
    if (cycle->gating >= 0) return OK;
    Status status = run_lock_work(cycle->directory.root.text, "nets.lock",
                                  "makes the nets of this run", &cycle->gating, err);
    return status || !cycle->opened ? status : cycle_renew_net(cycle, err);
}

Status cycle_hold(Cycle *cycle, Error *err) {
    Status status = cycle_hold_training(cycle, err);
    return status ? status : cycle_hold_gating(cycle, err);
}

static void let_go(Cycle *cycle) {
    run_lock_release(&cycle->training);
    run_lock_release(&cycle->gating);
}

static bool is_written(const Cycle *cycle, const StrBuf *text) {
    Arena arena = {0};
    char *old;
    size_t length;
    bool same = file_exists(cycle->directory.config.text) &&
                !file_read(cycle->directory.config.text, 1 << 20, &arena, &old, &length, NULL) &&
                length == text->length && memcmp(old, text->text, length) == 0;
    arena_clear(&arena);
    return same;
}

/* Settings of its own, beside those of the run. */
static bool has_own(const Cycle *cycle) {
    return cycle->role == CYCLE_PLAYS || cycle->role == CYCLE_GATES;
}

static bool is_begun(const Cycle *cycle) {
    return has_own(cycle) && file_exists(cycle->directory.config.text);
}

/* With the right to, which both who trains and who makes nets have. Of several that begin a run at
 * once the first to hold it does; the others do not wait for a gate that began since, for `aji
 * train` would be refused meanwhile. */
static Status keep_config(Cycle *cycle, const StrBuf *text, Error *err) {
    bool trains = cycle->training >= 0, gates = cycle->gating >= 0;
    Error held = {0};
    Status status = OK;
    bool first = !cycle_hold_training(cycle, &held);
    if (is_begun(cycle))
        status = run_check(&cycle->directory, &cycle->config, true, err);
    else if (!first || cycle_hold_gating(cycle, &held))
        log_warning("%s; the settings of this start are not kept", held.message);
    else
        status = file_write(cycle->directory.config.text, text->text, text->length, err);
    if (!trains) run_lock_release(&cycle->training);
    if (!gates) run_lock_release(&cycle->gating);
    return status;
}

/* The settings of the first start rule a run; a later start may say other ones, which are then
 * written again, unless another process trains or makes nets by those that are there. Who only
 * plays or gates has settings of its own. */
static Status write_config(Cycle *cycle, Error *err) {
    StrBuf text = {0};
    SettingsGroup groups[RUN_GROUPS];
    if (is_begun(cycle)) return OK;
    run_config_groups(&cycle->config, groups);
    strbuf_addf(&text, "# made by aji %s (%s, %s)\n", BUILD_VERSION, BUILD_REVISION, BUILD_TYPE);
    settings_write(groups, &text);
    Status status = strbuf_status(&text, err);
    if (!status && !is_written(cycle, &text)) status = keep_config(cycle, &text, err);
    strbuf_clear(&text);
    return status;
}

/* What a net of the run learns beside what all do. */
static Status find_targets(const Cycle *cycle, LoaderConfig *loader, Error *err) {
    const RunSettings *run = &cycle->config.run;
    ArchSettings arch;
    Status status = arch_parse(run->arch, &arch, err);
    loader->boards = loader->q_values = false;
    loader->lead_from_score = run_lead_from_score(&cycle->config);
    for (int k = 0; !status; k++) {
        loader->boards = loader->boards || arch.auxiliary;
        loader->q_values = loader->q_values || arch.policies == POLICIES_Q_VALUES;
        LargerArch larger = run_larger_arch(run, k);
        if (!*larger.text) break;
        status = arch_parse(larger.text, &arch, err);
    }
    return status;
}

static bool has_part(const Cycle *cycle, CycleRole role) {
    return cycle->role == CYCLE_WHOLE || cycle->role == role;
}

/* Rows that are there were to be used as the run said before this start. */
static void note_reuse_before(Cycle *cycle) {
    RunConfig before;
    if (!run_directory_has_settings(cycle->directory.root.text) ||
        run_config_load(cycle->directory.root.text, &before, NULL))
        return;
    cycle->earnings_before =
        (Earnings){.each = (double)before.run.samples_per_row, .rule = (ReuseRule)before.run.reuse};
}

static Status open_directory(Cycle *cycle, const char *directory, Error *err) {
    Status status = run_directory_open(directory, &cycle->directory, err);
    if (!status && cycle->role != CYCLE_TRAINS) status = cycle_find_length(cycle, err);
    if (!status && cycle->alone)
        status = cycle_hold(cycle, err); /* before it is told of, or kept */
    if (!status) status = log_open(cycle->directory.log.text, err);
    if (!status) status = run_check(&cycle->directory, &cycle->config, has_own(cycle), err);
    if (!status && cycle->role == CYCLE_TRAINS) status = cycle_hold_training(cycle, err);
    if (!status && cycle->role == CYCLE_GATES) status = cycle_hold_gating(cycle, err);
    if (!status) note_reuse_before(cycle);
    /* Before anything is kept of settings that make no net. */
    if (!status && has_part(cycle, CYCLE_TRAINS)) status = trainers_open(cycle, err);
    return status ? status : write_config(cycle, err);
}

Status cycle_open_index(Cycle *cycle, Error *err) {
    Status status = run_index_open(cycle->directory.database.text, &cycle->index, err);
    if (status) return status;
    cycle->seconds_before = run_index_value(cycle->index, "seconds");
    cycle->games = (int64_t)run_index_value(cycle->index, GAMES_FACT);
    atomic_store(&cycle->evaluations, (long long)run_index_value(cycle->index, "evaluations"));
    cycle->compute = cycle->compute_kept = run_index_value(cycle->index, COMPUTE_FACT);
    cycle->counted = atomic_load(&cycle->evaluations);
    return OK;
}

static Status keep_edge(Cycle *cycle, Error *err) {
    if (run_index_value(cycle->index, EDGE_FACT) >= cycle->length) return OK;
    return run_index_set_value(cycle->index, EDGE_FACT, cycle->length, err);
}

static Status open_loader(Cycle *cycle, LoaderConfig loader, Error *err) {
    loader.length = cycle->length;
    loader.seed = (uint64_t)cycle->config.run.seed + (uint64_t)cycle_samples(cycle);
    Status status = loader_new(&loader, &cycle->loader, err);
    return status ? status : cycle_read_rows(cycle, err);
}

static Status open_parts(Cycle *cycle, const char *directory, Error *err) {
    int recovered = 0;
    bool trains = has_part(cycle, CYCLE_TRAINS);
    LoaderConfig loader = cycle->config.loader;
    Status status = selfplay_edge_most(&cycle->config.selfplay, &cycle->length, err);
    if (!status) status = run_check_settings(&cycle->config, err);
    if (!status) status = find_targets(cycle, &loader, err);
    if (!status) status = open_directory(cycle, directory, err);
    if (!status && trains) status = cycle_open_index(cycle, err);
    if (!status && trains) status = keep_edge(cycle, err);
    if (!status) status = journal_recover(&cycle->directory, &recovered, err);
    if (status) return status;
    if (recovered) log_info("%d games of a stopped worker were recovered", recovered);
    int swept = run_directory_sweep(&cycle->directory);
    if (swept) log_info("%d unfinished files of stopped processes were removed", swept);
    if (has_part(cycle, CYCLE_PLAYS))
        status = evaluation_cache_new(cycle->config.run.cache_mb << 20, &cycle->cache, err);
    if (!status && trains) status = open_loader(cycle, loader, err);
    if (!status) status = cycle_load_net(cycle, err);
    if (!status && trains) status = cycle_recall(cycle, err);
    if (status) return status;
    cycle->started = clock_seconds();
    cycle->opened = true;
    cycle_count_compute(cycle); /* what an evaluation costs */
    return OK;
}

static Status open_as(CycleRole role, bool alone, const char *directory, const RunConfig *config,
                      Progress *progress, Cycle **out, Error *err) {
    static const char *const NAMES[] = {"run", "self-play", "training", "gate"};
    Cycle *cycle;
    double begun = clock_seconds();
    *out = NULL;
    Status status = mem_new(1, sizeof *cycle, &cycle, err);
    if (status) return status;
    cycle->role = role;
    cycle->alone = alone;
    cycle->config = *config;
    cycle->progress = progress;
    cycle->training = cycle->gating = -1;
    cycle->threads = config->run.threads ? config->run.threads : thread_processors();
    cycle->started = clock_seconds();
    status = open_parts(cycle, directory, err);
    if (status) {
        cycle_close(cycle);
        return status;
    }
    log_info("%s opened in %.1f s: %d threads, net %d, %lld rows, %lld samples", NAMES[role],
             clock_seconds() - begun, cycle->threads, cycle->net_number, (long long)cycle->rows,
             (long long)cycle_samples(cycle));
    *out = cycle;
    return OK;
}

Status cycle_open(const char *directory, const RunConfig *config, Progress *progress, Cycle **out,
                  Error *err) {
    return open_as(CYCLE_WHOLE, false, directory, config, progress, out, err);
}

Status cycle_open_alone(const char *directory, const RunConfig *config, Progress *progress,
                        Cycle **out, Error *err) {
    return open_as(CYCLE_WHOLE, true, directory, config, progress, out, err);
}

Status cycle_open_as(CycleRole role, const char *directory, const RunConfig *config,
                     Progress *progress, Cycle **out, Error *err) {
    return open_as(role, false, directory, config, progress, out, err);
}

void cycle_close(Cycle *cycle) {
    if (!cycle) return;
    workers_free(cycle);
    trainers_free(cycle);
    loader_free(cycle->loader);
    run_index_close(cycle->index);
    evaluation_cache_free(cycle->cache);
    net_free(cycle->net);
    net_free(cycle->player_net);
    free(cycle->known);
    arena_clear(&cycle->known_arena);
    let_go(cycle);
    log_close();
    free(cycle);
}

bool cycle_outgrown(const Cycle *cycle) {
    int edge;
    return cycle->role != CYCLE_TRAINS && cycle->role != CYCLE_GATES &&
           !selfplay_edge_at(&cycle->config.selfplay, cycle->net_rows, &edge, NULL) &&
           edge > cycle->length;
}

CycleTotals cycle_totals(const Cycle *cycle) {
    return (CycleTotals){.net = cycle->net_number,
                         .games = cycle->games,
                         .rows = cycle->rows,
                         .played = cycle->played,
                         .samples = cycle_samples(cycle),
                         .evaluations = atomic_load(&cycle->evaluations),
                         .multiply_adds = cycle_compute(cycle)};
}

/* Self-play, unless there is enough to train on. */
static Status play_for_training(Cycle *cycle, Error *err) {
    const RunSettings *run = &cycle->config.run;
    int64_t owed;
    if (cycle->rows < run->rows_first)
        return cycle_selfplay(cycle, run->rows_first - cycle->rows, err);
    Status status = cycle_samples_owed(cycle, &owed, err);
    if (status || owed >= cycle_samples_least(cycle)) return status;
    return cycle_selfplay(cycle, run->rows_cycle, err);
}

/* One turn: self-play until enough rows are there, training, a new net. */
static Status turn(Cycle *cycle, Error *err) {
    const RunSettings *run = &cycle->config.run;
    int64_t owed, most = cycle_samples_most(cycle);
    if (cycle_outgrown(cycle)) return OK;
    Status status = play_for_training(cycle, err);
    if (status || cycle_must_stop(cycle) || cycle->rows < run->rows_first) return status;
    status = cycle_samples_owed(cycle, &owed, err);
    bool waits = !cycle->net && cycle_samples(cycle); /* what is trained has yet to be a net */
    if (status || (owed < cycle->config.loader.batch && !waits)) return status;
    status = cycle_train(cycle, owed < most ? owed : most, err);
    int number = cycle->net_number;
    if (!status && !cycle->ignorant && !cycle_must_stop(cycle)) status = cycle_accept(cycle, err);
    if (!status && !cycle_must_stop(cycle) && cycle->net_number > number &&
        cycle->net_number % run->rate_every == 0)
        status = cycle_rate(cycle, err);
    return status;
}

/* What could not be written is tried again; the turn goes on from what is on the disk. */
static Status turn_on_any_disk(Cycle *cycle, Error *err) {
    Failures failures = {0};
    Error fault = {0};
    Status status;
    do
        status = turn(cycle, &fault);
    while (status && !(status = cycle_try_again(cycle, status, &failures, &fault, err)));
    return status;
}

Status cycle_run(Cycle *cycle, double seconds, Error *err) {
    cycle->deadline = seconds > 0 ? clock_seconds() + seconds : 0;
    Status status = cycle_hold(cycle, err);
    if (!status) status = cycle_index_nets(cycle, NETS_LOST, err); /* nobody else makes nets now */
    if (status) return status;
    int last = cycle->config.run.nets;
    while (!status && !cycle_must_stop(cycle) && !cycle_spent(cycle) && !cycle_outgrown(cycle) &&
           (!last || cycle->net_number < last))
        status = turn_on_any_disk(cycle, err);
    Status kept = cycle_keep_totals(cycle, NULL);
    (void)kept; /* statistics only */
    cycle->deadline = 0;
    if (cycle->progress) progress_end(cycle->progress);
    if (!status && stop_requested())
        status = fail(err, ERR_STOPPED, "stopped; the same command goes on from here");
    return status;
}
