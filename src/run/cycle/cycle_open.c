/* How a cycle is opened and closed:
 *   1. The settings are checked. The largest board side in selfplay.sizes becomes plan.edge, the
 *      side for which rows and tensors have room.
 *   2. The directory is opened. Except in a process that only trains, plan.edge then becomes the
 *      side that run_nets_find_edge() finds, because larger boards may begin later. The settings
 *      are checked against the files that are there. A process that only trains or only gates takes
 *      its lock, and cycle_open_alone() takes both locks. A process of cycle_open() takes the locks
 *      later.
 *   3. The trainers are opened from their checkpoints. After that the settings are written to
 *      run.cfg.
 *   4. The index is opened, and the games in the journals of killed workers are written to row and
 *      game files.
 *   5. The loader lists the row files, and the newest net is loaded.
 * Trainers, index and loader are opened only in a process that trains, alone or among other
 * work. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "eval/arch/arch.h"
#include "run/cycle/cycle_private.h"
#include "run/cycle/run_check.h"
#include "run/store/run_totals.h"

static bool is_written(const Cycle *cycle, const StrBuf *text) {
    Arena arena = {0};
    char *old;
    size_t length;
    bool same =
        file_exists(cycle->store.directory.config.text) &&
        !file_read(cycle->store.directory.config.text, 1 << 20, &arena, &old, &length, NULL) &&
        length == text->length && memcmp(old, text->text, length) == 0;
    arena_clear(&arena);
    return same;
}

static bool is_begun(const Cycle *cycle) {
    return run_plan_has_own_settings(&cycle->plan) &&
           file_exists(cycle->store.directory.config.text);
}

/* Writes the settings to run.cfg. For this a process must hold two locks: first it takes the lock
 * for training, then the lock for making nets. Several processes may begin a run at the same time.
 * So another process may write run.cfg while this process waits for the first lock. If this process
 * only plays or only gates, it then leaves run.cfg as it is and does not wait for the second lock.
 * Reason: a gate may hold the second lock. While this process waited for the second lock, it would
 * hold the first lock, and an `aji train` that starts would be refused. */
static Status keep_config(Cycle *cycle, const StrBuf *text, Error *err) {
    bool trains = run_store_trains(&cycle->store), gates = run_store_gates(&cycle->store);
    Error held = {0};
    Status status = OK;
    bool first = !cycle_hold_training(cycle, &held);
    if (is_begun(cycle))
        status = run_check(&cycle->store.directory, &cycle->plan.config, true, err);
    else if (!first || cycle_hold_gating(cycle, &held))
        log_warning("%s; the settings of this start are not kept", held.message);
    else
        status = file_write(cycle->store.directory.config.text, text->text, text->length, err);
    if (!trains) run_store_unlock_training(&cycle->store);
    if (!gates) run_store_unlock_gating(&cycle->store);
    return status;
}

/* Writes the settings to run.cfg if they are new. A run has the settings of its first start. A
 * later start may change them, except while another process trains or makes nets with the present
 * settings. If the run has settings already, those of a process that only plays or gates are not
 * written. */
static Status write_config(Cycle *cycle, Error *err) {
    StrBuf text = {0};
    if (is_begun(cycle)) return OK;
    run_config_write(&cycle->plan.config, &text);
    Status status = strbuf_status(&text, err);
    if (!status && !is_written(cycle, &text)) status = keep_config(cycle, &text, err);
    strbuf_clear(&text);
    return status;
}

/* Sets which optional targets the loader gives: the targets that at least one architecture of the
 * run's nets needs. Also sets loader->lead_from_score (run_lead_from_score()). */
static Status find_targets(const RunPlan *plan, LoaderSettings *loader, Error *err) {
    const RunSettings *run = &plan->config.run;
    ArchSettings arch;
    Status status = arch_parse(run->arch, &arch, err);
    loader->boards = loader->q_values = false;
    loader->point_columns = 0;
    loader->lead_from_score = run_lead_from_score(&plan->config);
    for (int k = 0; !status; k++) {
        loader->boards = loader->boards || heads_will_need_boards(&arch);
        loader->point_columns |= objective_will_need_points(&arch);
        loader->q_values = loader->q_values || arch.policies == POLICIES_Q_VALUES;
        LargerArch larger = run_larger_arch(run, k);
        if (!*larger.text) break;
        status = arch_parse(larger.text, &arch, err);
    }
    return status;
}

static Status open_directory(Cycle *cycle, const char *directory, Error *err) {
    RunPlan *plan = &cycle->plan;
    RunStore *store = &cycle->store;
    bool own = run_plan_has_own_settings(plan);
    Status status = run_directory_check_foreign(directory, err);
    if (!status) status = run_directory_open(directory, &store->directory, err);
    if (!status && plan->role != CYCLE_TRAINS)
        status = run_nets_find_edge(plan, store, &plan->edge, err);
    if (!status && cycle->alone) status = cycle_hold(cycle, err); /* before anything is written */
    if (!status) status = log_open(store->directory.log.text, err);
    if (!status) status = run_check(&store->directory, &plan->config, own, err);
    if (!status && plan->role == CYCLE_TRAINS) status = cycle_hold_training(cycle, err);
    if (!status && plan->role == CYCLE_GATES) status = cycle_hold_gating(cycle, err);
    if (!status) run_budget_note_before(&cycle->budget);
    /* The trainers come before the settings are written, because opening them may show that no net
     * can be made with these settings. */
    if (!status && run_plan_has_part(plan, CYCLE_TRAINS))
        status = run_trainers_open(&cycle->trainers, err);
    return status ? status : write_config(cycle, err);
}

static Status keep_edge(const Cycle *cycle, Error *err) {
    RunIndex *index = cycle->store.index;
    double known;
    Status status = run_index_read(index, EDGE_FACT, &known, err);
    if (status || known >= cycle->plan.edge) return status;
    return run_index_set_value(index, EDGE_FACT, cycle->plan.edge, err);
}

static Status open_loader(Cycle *cycle, LoaderSettings loader, Error *err) {
    loader.length = cycle->plan.edge;
    loader.seed = (uint64_t)cycle->plan.config.run.seed + (uint64_t)cycle_samples(cycle);
    Status status = run_rows_open(&cycle->rows, &loader, err);
    return status ? status : cycle_read_rows(cycle, err);
}

/* Recovers journals of killed processes, and removes their unfinished files. */
static Status clean_up(const RunDirectory *run, Error *err) {
    int recovered = 0;
    Status status = journal_recover(run, &recovered, err);
    if (status) return status;
    if (recovered) log_info("%d games of killed workers were recovered", recovered);
    int swept = run_directory_sweep(run);
    if (swept) log_info("%d unfinished files of killed processes were removed", swept);
    return OK;
}

static Status open_parts(Cycle *cycle, const char *directory, Error *err) {
    RunPlan *plan = &cycle->plan;
    RunStore *store = &cycle->store;
    bool trains = run_plan_has_part(plan, CYCLE_TRAINS);
    LoaderSettings loader = plan->config.loader;
    Status status = selfplay_max_board_size(&plan->config.selfplay, &plan->edge, err);
    if (!status) status = run_check_settings(&plan->config, err);
    if (!status) status = find_targets(plan, &loader, err);
    if (!status) status = open_directory(cycle, directory, err);
    if (!status && trains) status = run_totals_open(store, &cycle->clock, &cycle->rows, err);
    if (!status && trains) status = keep_edge(cycle, err);
    if (!status) status = clean_up(&store->directory, err);
    if (!status && run_plan_has_part(plan, CYCLE_PLAYS))
        status = stage_selfplay_open(&cycle->selfplay, err);
    if (!status && trains) status = open_loader(cycle, loader, err);
    if (!status) status = cycle_load_net(cycle, err);
    if (!status && trains)
        status = run_results_recall(&cycle->results, store, cycle->nets.number, err);
    if (status) return status;
    run_clock_start(&cycle->clock);
    cycle->opened = true;
    run_clock_use_net(&cycle->clock, run_nets_cost(&cycle->nets, plan->edge));
    return OK;
}

/* Sets the pointers of the parts to each other. */
static void connect_parts(Cycle *cycle) {
    run_store_init(&cycle->store);
    run_trainers_init(&cycle->trainers, &cycle->plan, &cycle->store, &cycle->clock);
    run_budget_init(&cycle->budget, &cycle->plan, &cycle->store, &cycle->rows);
    cycle->screen = (RunScreen){.phase = &cycle->phase,
                                .plan = &cycle->plan,
                                .clock = &cycle->clock,
                                .nets = &cycle->nets,
                                .rows = &cycle->rows,
                                .trainers = &cycle->trainers,
                                .results = &cycle->results};
    cycle->selfplay.plan = &cycle->plan;
    cycle->selfplay.store = &cycle->store;
    cycle->selfplay.clock = &cycle->clock;
    cycle->selfplay.nets = &cycle->nets;
    cycle->selfplay.rows = &cycle->rows;
    cycle->selfplay.screen = &cycle->screen;
}

static Status open_as(CycleRole role, bool alone, const char *directory, const RunConfig *config,
                      Progress *progress, Cycle **out, Error *err) {
    static const char *const NAMES[] = {"run", "self-play", "training", "gate"};
    Cycle *cycle;
    double begun = clock_seconds();
    *out = NULL;
    Status status = mem_new(1, sizeof *cycle, &cycle, err);
    if (status) return status;
    cycle->alone = alone;
    cycle->plan = (RunPlan){
        .role = role,
        .config = *config,
        .threads = config->run.threads ? config->run.threads : thread_processors(),
        .progress = progress,
    };
    connect_parts(cycle);
    run_clock_start(&cycle->clock);
    status = open_parts(cycle, directory, err);
    if (status) {
        cycle_close(cycle);
        return status;
    }
    log_info("%s opened in %.1f s: %d threads, net %d, %lld rows, %lld samples", NAMES[role],
             clock_seconds() - begun, cycle->plan.threads, cycle->nets.number,
             (long long)cycle->rows.count, (long long)cycle_samples(cycle));
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
    stage_selfplay_close(&cycle->selfplay);
    run_trainers_free(&cycle->trainers);
    run_rows_clear(&cycle->rows);
    run_nets_clear(&cycle->nets);
    run_store_close(&cycle->store);
    log_close();
    free(cycle);
}
