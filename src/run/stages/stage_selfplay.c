/* How stage_selfplay(), a phase of self-play, goes:
 *   1. If an earlier phase failed to publish a journal (to turn it into a row file and a game file,
 *      journal.h), this phase publishes the journal first. Then each worker opens a new journal. In
 *      the first phase the seeds of a worker depend on the name of this journal.
 *   2. run_worker() plays on each thread until the threads together have made enough rows. Games
 *      that are not finished by then continue in the next phase.
 *   3. A finished game goes into its worker's journal (finished_games.h). The first worker also
 *      shows the progress, writes totals and looks for a newer net.
 *   4. At the end the phase publishes the journals of all workers, and counts the new rows. */
#include "run/stages/stage_selfplay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "play/selfplay/selfplay_net.h"
#include "run/stages/disk_retry.h"
#include "run/stages/finished_games.h"
#include "run/store/run_lock.h"
#include "run/store/run_totals.h"

enum { LOOK_SECONDS = 1 }; /* time between two looks for a newer net */

static void on_game(void *context, GameRecord *record) {
    Worker *worker = context;
    if (!worker->status) worker->status = finished_games_keep(worker, record);
}

static Status make_evaluator(SelfplayStage *stage, Worker *worker, Error *err) {
    int batch = stage->plan->config.selfplay.games_at_once;
    uint64_t seed = rng_next(&worker->seeds);
    evaluator_free(worker->evaluator);
    worker->evaluator = NULL;
    if (!stage->nets->net) return evaluator_random_new(batch, seed, &worker->evaluator, err);
    const SelfplayEvaluatorSetup setup = {.net = stage->nets->player ? stage->nets->player
                                                                     : stage->nets->net,
                                          .cache = stage->cache,
                                          .precision = (Precision)stage->plan->config.run.precision,
                                          .batch = batch,
                                          .board_size = stage->plan->edge,
                                          .seed = seed,
                                          .search = &stage->plan->config.search};
    return selfplay_evaluator_new(&setup, &worker->evaluator, err);
}

static Status use_net(SelfplayStage *stage, Worker *worker, Error *err) {
    Status status = make_evaluator(stage, worker, err);
    if (status) return status;
    if (worker->worker) {
        selfplay_worker_set_rows(worker->worker, stage->nets->rows);
        return selfplay_worker_set_net(worker->worker, worker->evaluator, stage->nets->name, err);
    }
    SelfplayWorkerSetup setup = {.settings = &stage->plan->config.selfplay,
                                 .search = &stage->plan->config.search,
                                 .surprise = &stage->plan->config.surprise,
                                 .seed = rng_next(&worker->seeds),
                                 .rows = stage->nets->rows,
                                 .on_game = on_game,
                                 .context = worker};
    worker->rng = rng_split(&worker->seeds, 0);
    status =
        selfplay_worker_new(&setup, worker->evaluator, stage->nets->name, &worker->worker, err);
    if (!status) selfplay_worker_set_rows(worker->worker, stage->nets->rows);
    return status;
}

/* Makes one worker for each thread. In a process that only plays, the names of workers contain the
 * name of the machine. The reason is that two machines must not use the same name, and one machine
 * may see the files of another one late. */
static Status make_workers(SelfplayStage *stage, Error *err) {
    HostName host = run_lock_host();
    unsigned point_columns = row_points_wanted(&stage->plan->config.rows);
    Status status =
        mem_new((size_t)stage->plan->threads, sizeof *stage->workers, &stage->workers, err);
    for (int i = 0; i < stage->plan->threads && !status; i++) {
        Worker *worker = &stage->workers[i];
        worker->stage = stage;
        worker->index = i;
        if (stage->plan->role == CYCLE_PLAYS)
            snprintf(worker->name, sizeof worker->name, "%s-w%03d", host.text, i);
        else
            snprintf(worker->name, sizeof worker->name, "w%03d", i);
        status = rows_init(&worker->rows, stage->plan->edge, err);
        if (!status) status = rows_add_points(&worker->rows, point_columns, err);
    }
    return status;
}

Status stage_selfplay_open(SelfplayStage *stage, Error *err) {
    return evaluation_cache_new(stage->plan->config.run.cache_mb << 20, &stage->cache, err);
}

Status stage_selfplay_use_net(SelfplayStage *stage, Error *err) {
    Status status = run_nets_make_player(stage->nets, stage->plan, err);
    if (status) return status;
    run_clock_use_net(stage->clock, run_nets_cost(stage->nets, stage->plan->edge));
    evaluation_cache_clear(stage->cache);
    if (!stage->workers) status = make_workers(stage, err);
    for (int i = 0; i < stage->plan->threads && !status; i++)
        status = use_net(stage, &stage->workers[i], err);
    return status;
}

static void end_workers(SelfplayStage *stage) {
    for (int i = 0; stage->workers && i < stage->plan->threads; i++) {
        Worker *worker = &stage->workers[i];
        if (worker->journal && journal_publish(worker->journal, NULL))
            journal_free(worker->journal); /* the next start recovers its file */
        selfplay_worker_free(worker->worker);
        evaluator_free(worker->evaluator);
        rows_clear(&worker->rows);
    }
    free(stage->workers);
    stage->workers = NULL;
}

void stage_selfplay_close(SelfplayStage *stage) {
    end_workers(stage);
    evaluation_cache_free(stage->cache);
}

/* Returns whether another process has made a newer net. If this process does other work, too, or if
 * the last look was less than LOOK_SECONDS ago, returns false without looking. */
static bool is_net_old(SelfplayStage *stage) {
    bool newer;
    double now = clock_seconds();
    if (stage->plan->role != CYCLE_PLAYS || now < stage->next_look) return false;
    stage->next_look = now + LOOK_SECONDS;
    return !run_nets_find_newer(stage->nets, stage->store, &newer, NULL) && newer;
}

static int64_t new_rows(const SelfplayStage *stage) {
    return atomic_load_explicit(&stage->rows->new_rows, memory_order_relaxed);
}

/* Writes the totals of the run and shows the progress of all workers together. The first worker
 * calls this after each step that it has made itself. */
static void keep_and_show(SelfplayStage *stage) {
    run_totals_keep_meanwhile(stage->store, stage->clock);
    run_screen_show(stage->screen, "self-play", (double)new_rows(stage), (double)stage->rows_wanted,
                    false);
}

static void run_worker(void *argument, int index) {
    SelfplayStage *stage = argument;
    Worker *worker = &stage->workers[index];
    int64_t counted = worker->evaluator->evaluations;
    worker->status = OK;
    while (!worker->status && !atomic_load_explicit(&stage->over, memory_order_relaxed)) {
        Status status = selfplay_worker_step(worker->worker, &worker->error);
        if (!worker->status) worker->status = status;
        run_clock_add_evaluations(stage->clock, worker->evaluator->evaluations - counted);
        counted = worker->evaluator->evaluations;
        if (new_rows(stage) >= stage->rows_wanted || worker->status ||
            run_clock_must_stop(stage->clock) || (!index && is_net_old(stage)))
            atomic_store_explicit(&stage->over, true, memory_order_relaxed);
        finished_games_sync(worker);
        if (!index) keep_and_show(stage);
    }
}

/* Seeds a worker by the run's seed, the number of the newest net and the name of the worker's first
 * journal. No other worker of the run ever has a journal of this name for this net, so no two
 * workers play the same games. */
static void seed(const SelfplayStage *stage, Worker *worker) {
    const char *name = journal_name(worker->journal);
    Rng rng = rng_seeded((uint64_t)stage->plan->config.run.seed);
    uint64_t number = (uint64_t)stage->nets->number;
    worker->seeds = rng_split(&rng, hash_bytes(name, strlen(name), number));
    journal_keep_name(worker->journal);
}

static Status open_journals(SelfplayStage *stage, Error *err) {
    Status status = stage->workers ? OK : make_workers(stage, err);
    bool begins = !status && !stage->workers[0].worker;
    for (int i = 0; i < stage->plan->threads && !status; i++) {
        status = finished_games_open_journal(&stage->workers[i], err);
        if (!status && begins) seed(stage, &stage->workers[i]);
    }
    return status || !begins ? status : stage_selfplay_use_net(stage, err);
}

/* Adds the rows and games of the phase to the counts of this process, and writes the totals of the
 * run. */
static void count_work(SelfplayStage *stage) {
    RunRows *rows = stage->rows;
    int64_t games = atomic_exchange(&rows->new_games, 0);
    Error fault = {0};
    run_clock_end_phase(stage->clock);
    /* A process with a loader, that is, a process that trains, counts games when it finds their row
     * files (run_rows_read()). */
    if (!rows->loader) rows->games += games;
    rows->played += atomic_load(&rows->new_rows);
    if (run_totals_keep(stage->store, stage->clock, rows, &fault)) log_warning("%s", fault.message);
}

static Status play(SelfplayStage *stage, int64_t rows, Error *err) {
    atomic_store(&stage->rows->new_rows, 0);
    atomic_store(&stage->rows->new_games, 0);
    atomic_store(&stage->over, false);
    stage->rows_wanted = rows;
    run_clock_begin_phase(stage->clock);
    Status status = thread_parallel(stage->plan->threads, run_worker, stage, err);
    for (int i = 0; i < stage->plan->threads && !status; i++) {
        status = stage->workers[i].status;
        if (status) fail(err, status, "%s", stage->workers[i].error.message);
    }
    count_work(stage);
    return status;
}

Status stage_selfplay(SelfplayStage *stage, int64_t rows, Error *err) {
    RunRows *known = stage->rows;
    const DiskRetry retry = {.plan = stage->plan, .store = stage->store, .clock = stage->clock};
    Status status = disk_retry_wait_for_room(&retry, err);
    if (!status) status = finished_games_publish(stage, err); /* journals left from a failure */
    if (!status) status = open_journals(stage, err);
    if (status) return status;
    status = play(stage, rows, err);
    Status published = finished_games_publish(stage, status ? NULL : err);
    if (!status) status = published;
    if (status) return status;
    if (known->loader) return run_rows_read(known, stage->plan, stage->store, stage->clock, err);
    known->count += atomic_load(&known->new_rows);
    return OK;
}
