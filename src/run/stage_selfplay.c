/* Self-play of a cycle: one worker a thread, each with its own games, evaluator and journal; they
 * share the net and the cache. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "play/selfplay_net.h"
#include "run/cycle_private.h"
#include "run/cycle_show.h"
#include "run/run_lock.h"

enum { LOOK_SECONDS = 1 }; /* between looks for a newer net */

static void on_game(void *context, GameRecord *record) {
    Worker *worker = context;
    if (!worker->status) worker->status = worker_keep_game(worker, record);
}

static Status make_evaluator(Cycle *cycle, Worker *worker, Error *err) {
    int batch = cycle->config.selfplay.games_at_once;
    uint64_t seed = rng_next(&worker->seeds);
    evaluator_free(worker->evaluator);
    worker->evaluator = NULL;
    if (!cycle->net) return evaluator_random_new(batch, seed, &worker->evaluator, err);
    const SelfplayEvaluatorSetup setup = {.net = cycle->player_net ? cycle->player_net : cycle->net,
                                          .cache = cycle->cache,
                                          .precision = (Precision)cycle->config.run.precision,
                                          .batch = batch,
                                          .edge = cycle->length,
                                          .seed = seed,
                                          .ownership = cycle->config.search.ending_bonus != 0};
    return selfplay_evaluator_new(&setup, &worker->evaluator, err);
}

static Status use_net(Cycle *cycle, Worker *worker, Error *err) {
    Status status = make_evaluator(cycle, worker, err);
    if (status) return status;
    if (worker->worker) {
        selfplay_worker_progress(worker->worker, cycle->net_rows);
        return selfplay_worker_use(worker->worker, worker->evaluator, cycle->net_name, err);
    }
    SelfplayWorkerSetup setup = {.settings = &cycle->config.selfplay,
                                 .search = &cycle->config.search,
                                 .surprise = &cycle->config.surprise,
                                 .seed = rng_next(&worker->seeds),
                                 .rows = cycle->net_rows,
                                 .on_game = on_game,
                                 .context = worker};
    worker->rng = rng_split(&worker->seeds, 0);
    status = selfplay_worker_new(&setup, worker->evaluator, cycle->net_name, &worker->worker, err);
    if (!status) selfplay_worker_progress(worker->worker, cycle->net_rows);
    return status;
}

/* For int8 each net is measured anew; nets that cannot run so, or not closely enough, run in bf16
 * or f32 where the choice is `auto`. */
static Status make_player_net(Cycle *cycle, Error *err) {
    Precision precision = (Precision)cycle->config.run.precision;
    Comparison report;
    net_free(cycle->player_net);
    cycle->player_net = NULL;
    if (!cycle->net) return OK;
    const SelfplayNetSetup setup = {.precision = precision,
                                    .settings = &cycle->config.selfplay,
                                    .threads = cycle->threads,
                                    .seed = (uint64_t)cycle->config.run.seed +
                                            (uint64_t)cycle->net_number,
                                    .rows = cycle->net_rows};
    Status status = selfplay_net_new(cycle->net, &setup, &report, &cycle->player_net, err);
    if (status || !cycle->player_net) return status;
    bool plays = selfplay_net_is_int8(cycle->player_net, precision, &report);
    log_info("net %d plays %s int8: %lld of %lld clear moves as in f32, win rate %.4f apart",
             cycle->net_number, plays ? "in" : "without", (long long)report.clear_same_top,
             (long long)report.clear, differences_mean(&report.winrate));
    return OK;
}

/* One a thread. Those of processes on several machines have names of their own, whatever the
 * machines know of each other's files. */
static Status make_workers(Cycle *cycle, Error *err) {
    HostName host = run_lock_host();
    Status status = mem_new((size_t)cycle->threads, sizeof *cycle->workers, &cycle->workers, err);
    for (int i = 0; i < cycle->threads && !status; i++) {
        Worker *worker = &cycle->workers[i];
        worker->cycle = cycle;
        worker->index = i;
        if (cycle->role == CYCLE_PLAYS)
            snprintf(worker->name, sizeof worker->name, "%s-w%03d", host.text, i);
        else
            snprintf(worker->name, sizeof worker->name, "w%03d", i);
        status = rows_init(&worker->rows, cycle->length, err);
    }
    return status;
}

Status workers_use_net(Cycle *cycle, Error *err) {
    Status status = make_player_net(cycle, err);
    if (status) return status;
    cycle_count_compute(cycle);
    evaluation_cache_clear(cycle->cache);
    if (!cycle->workers) status = make_workers(cycle, err);
    for (int i = 0; i < cycle->threads && !status; i++)
        status = use_net(cycle, &cycle->workers[i], err);
    return status;
}

void workers_free(Cycle *cycle) {
    for (int i = 0; cycle->workers && i < cycle->threads; i++) {
        Worker *worker = &cycle->workers[i];
        if (worker->journal && journal_publish(worker->journal, NULL))
            journal_free(worker->journal); /* the next start recovers it */
        selfplay_worker_free(worker->worker);
        evaluator_free(worker->evaluator);
        rows_clear(&worker->rows);
    }
    free(cycle->workers);
    cycle->workers = NULL;
}

/* Now and then, whether another process has made a newer net. */
static bool is_net_old(Cycle *cycle) {
    bool newer;
    double now = clock_seconds();
    if (cycle->role != CYCLE_PLAYS || now < cycle->next_look) return false;
    cycle->next_look = now + LOOK_SECONDS;
    return !cycle_newer_net(cycle, &newer, NULL) && newer;
}

static void run_worker(void *argument, int index) {
    Cycle *cycle = argument;
    Worker *worker = &cycle->workers[index];
    int64_t counted = worker->evaluator->evaluations;
    worker->status = OK;
    while (!worker->status && !atomic_load_explicit(&cycle->over, memory_order_relaxed)) {
        Status status = selfplay_worker_step(worker->worker, &worker->error);
        if (!worker->status) worker->status = status;
        atomic_fetch_add_explicit(&cycle->evaluations, worker->evaluator->evaluations - counted,
                                  memory_order_relaxed);
        counted = worker->evaluator->evaluations;
        bool enough =
            atomic_load_explicit(&cycle->new_rows, memory_order_relaxed) >= cycle->rows_wanted;
        if (enough || worker->status || cycle_must_stop(cycle) || (!index && is_net_old(cycle)))
            atomic_store_explicit(&cycle->over, true, memory_order_relaxed);
        if (index) continue;
        cycle_keep_meanwhile(cycle);
        cycle_show(cycle, "self-play",
                   (double)atomic_load_explicit(&cycle->new_rows, memory_order_relaxed),
                   (double)cycle->rows_wanted, false);
    }
}

/* The seeds of a worker are its own, as the name of its first journal is: no two workers of a run,
 * at the same time or one after the other, play the same games. */
static void seed(const Cycle *cycle, Worker *worker) {
    const char *name = journal_name(worker->journal);
    Rng rng = rng_seeded((uint64_t)cycle->config.run.seed);
    worker->seeds = rng_split(&rng, hash_bytes(name, strlen(name), (uint64_t)cycle->net_number));
    journal_keep_name(worker->journal);
}

static Status open_journals(Cycle *cycle, Error *err) {
    Status status = cycle->workers ? OK : make_workers(cycle, err);
    bool begins = !status && !cycle->workers[0].worker;
    for (int i = 0; i < cycle->threads && !status; i++) {
        status = worker_open_journal(&cycle->workers[i], err);
        if (!status && begins) seed(cycle, &cycle->workers[i]);
    }
    return status || !begins ? status : workers_use_net(cycle, err);
}

/* What was done in this phase. */
static void count_work(Cycle *cycle) {
    double seconds = clock_seconds() - cycle->phase_started;
    int64_t games = atomic_exchange(&cycle->new_games, 0);
    Error fault = {0};
    if (seconds > 0)
        cycle->speed =
            (double)(atomic_load(&cycle->evaluations) - cycle->phase_evaluations) / seconds;
    if (!cycle->loader) cycle->games += games; /* else they come with their files */
    cycle->played += atomic_load(&cycle->new_rows);
    cycle_count_compute(cycle);
    if (cycle_keep_totals(cycle, &fault)) log_warning("%s", fault.message);
}

Status cycle_selfplay(Cycle *cycle, int64_t rows, Error *err) {
    Status status = cycle_wait_for_room(cycle, err);
    if (!status) status = workers_publish(cycle, err); /* what could not be before */
    if (!status) status = open_journals(cycle, err);
    if (status) return status;
    atomic_store(&cycle->new_rows, 0);
    atomic_store(&cycle->new_games, 0);
    atomic_store(&cycle->over, false);
    cycle->rows_wanted = rows;
    cycle->phase_started = clock_seconds();
    cycle->phase_evaluations = atomic_load(&cycle->evaluations);
    status = thread_parallel(cycle->threads, run_worker, cycle, err);
    for (int i = 0; i < cycle->threads && !status; i++) {
        status = cycle->workers[i].status;
        if (status) fail(err, status, "%s", cycle->workers[i].error.message);
    }
    count_work(cycle);
    Status published = workers_publish(cycle, status ? NULL : err);
    if (!status) status = published;
    if (status || cycle->loader) return status ? status : cycle_read_rows(cycle, err);
    cycle->rows += atomic_load(&cycle->new_rows);
    return OK;
}
