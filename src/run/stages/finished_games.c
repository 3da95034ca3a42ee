#include "run/stages/finished_games.h"

#include "base/log.h"
#include "data/rows/row_check.h"
#include "data/surprise.h"
#include "run/stages/disk_retry.h"
#include "run/stages/record_sgf.h"

enum { DROPPED_MAX = 20 }; /* a worker fails after this many bad games in a row */

/* Makes the rows of a game. Sets `*sound` to false if this fails or if a row has impossible
 * values. */
static Status make_rows(Worker *worker, GameRecord *record, bool *sound) {
    Error fault = {0};
    surprise_apply(&worker->stage->plan->config.surprise, record);
    worker->rows.count = 0;
    Status status = rows_from_game(record, &worker->rng, &worker->rows, &fault);
    if (!status) status = rows_check(&worker->rows, &fault);
    *sound = !status;
    worker->dropped = status ? worker->dropped + 1 : 0;
    if (!status) return OK;
    if (status == ERR_MEMORY || worker->dropped >= DROPPED_MAX)
        return fail(&worker->error, status, "%s", fault.message);
    log_error("a game of %s is dropped: %s", worker->name, fault.message);
    return OK;
}

static DiskRetry retry_of(const SelfplayStage *stage) {
    return (DiskRetry){.plan = stage->plan, .store = stage->store, .clock = stage->clock};
}

static Status publish(Worker *worker, Error *err) {
    DiskRetry retry = retry_of(worker->stage);
    Error fault = {0};
    Status status;
    do
        status = journal_publish(worker->journal, &fault);
    while (status && !(status = disk_retry_again(&retry, status, &fault, err)));
    if (!status) worker->journal = NULL;
    return status;
}

Status finished_games_open_journal(Worker *worker, Error *err) {
    const SelfplayStage *stage = worker->stage;
    return journal_open(&stage->store->directory, stage->nets->number, worker->name,
                        stage->plan->edge, &worker->journal, err);
}

static Status add(Worker *worker, const char *sgf) {
    DiskRetry retry = retry_of(worker->stage);
    Error fault = {0}, *err = &worker->error;
    Status status = OK;
    if (worker->journal && journal_is_full(worker->journal, worker->rows.count))
        status = publish(worker, err);
    if (!status && !worker->journal) status = finished_games_open_journal(worker, err);
    if (status) return status;
    do
        status = journal_add(worker->journal, sgf, &worker->rows, &fault);
    while (status && !(status = disk_retry_again(&retry, status, &fault, err)));
    return status;
}

Status finished_games_keep(Worker *worker, GameRecord *record) {
    RunRows *counts = worker->stage->rows;
    StrBuf sgf = {0};
    bool sound;
    Status status = make_rows(worker, record, &sound);
    if (status || !sound) return status;
    status = record_sgf_write(record, &sgf, &worker->error);
    if (!status) status = add(worker, strbuf_text(&sgf));
    if (!status) {
        atomic_fetch_add_explicit(&counts->new_rows, (long long)worker->rows.count,
                                  memory_order_relaxed);
        atomic_fetch_add_explicit(&counts->new_games, 1, memory_order_relaxed);
    }
    strbuf_clear(&sgf);
    return status;
}

void finished_games_sync(Worker *worker) {
    Error fault = {0};
    if (worker->journal && journal_sync_if_due(worker->journal, &fault))
        log_warning("%s", fault.message);
}

/* In a process that only plays, adds the work that is in no note yet to the note of this journal.
 * The process that writes the index learns of this work from the note. */
static void note_work(SelfplayStage *stage, Journal *journal) {
    RunClock *clock = stage->clock;
    int64_t evaluations = run_clock_evaluations(clock);
    if (stage->plan->role != CYCLE_PLAYS || !journal_games(journal)) return;
    journal_note(journal, evaluations - clock->evaluations_noted,
                 clock->multiply_adds - clock->multiply_adds_kept);
    clock->evaluations_noted = evaluations;
    clock->multiply_adds_kept = clock->multiply_adds;
}

Status finished_games_publish(SelfplayStage *stage, Error *err) {
    Status status = OK;
    for (int i = 0; stage->workers && i < stage->plan->threads && !status; i++) {
        Worker *worker = &stage->workers[i];
        if (!worker->journal) continue;
        note_work(stage, worker->journal);
        status = publish(worker, err);
    }
    return status;
}
