/* What becomes of a finished game: its rows and its text go into its worker's journal, journals
 * into files. */
#include "base/log.h"
#include "data/row_check.h"
#include "data/surprise.h"
#include "run/cycle_private.h"
#include "run/record_sgf.h"

enum { DROPPED_MOST = 20 }; /* games of a worker in a row: then it is not the games */

/* `*sound` false: no rows can be made of it, or some that nobody may learn from. */
static Status make_rows(Worker *worker, GameRecord *record, bool *sound) {
    Error fault = {0};
    surprise_apply(&worker->cycle->config.surprise, record);
    worker->rows.count = 0;
    Status status = rows_from_game(record, &worker->rng, &worker->rows, &fault);
    if (!status) status = rows_check(&worker->rows, &fault);
    *sound = !status;
    worker->dropped = status ? worker->dropped + 1 : 0;
    if (!status) return OK;
    if (status == ERR_MEMORY || worker->dropped >= DROPPED_MOST)
        return fail(&worker->error, status, "%s", fault.message);
    log_error("a game of %s is dropped: %s", worker->name, fault.message);
    return OK;
}

static Status publish(Worker *worker, Error *err) {
    Failures failures = {0};
    Error fault = {0};
    Status status;
    do
        status = journal_publish(worker->journal, &fault);
    while (status && !(status = cycle_try_again(worker->cycle, status, &failures, &fault, err)));
    if (!status) worker->journal = NULL;
    return status;
}

Status worker_open_journal(Worker *worker, Error *err) {
    const Cycle *cycle = worker->cycle;
    return journal_open(&cycle->directory, cycle->net_number, worker->name, cycle->length,
                        &worker->journal, err);
}

static Status add(Worker *worker, const char *sgf) {
    Failures failures = {0};
    Error fault = {0}, *err = &worker->error;
    Status status = OK;
    if (worker->journal && journal_is_full(worker->journal, worker->rows.count))
        status = publish(worker, err);
    if (!status && !worker->journal) status = worker_open_journal(worker, err);
    if (status) return status;
    do
        status = journal_add(worker->journal, sgf, &worker->rows, &fault);
    while (status && !(status = cycle_try_again(worker->cycle, status, &failures, &fault, err)));
    return status;
}

Status worker_keep_game(Worker *worker, GameRecord *record) {
    Cycle *cycle = worker->cycle;
    StrBuf sgf = {0};
    bool sound;
    Status status = make_rows(worker, record, &sound);
    if (status || !sound) return status;
    status = record_sgf_write(record, &sgf, &worker->error);
    if (!status) status = add(worker, strbuf_text(&sgf));
    if (!status) {
        atomic_fetch_add_explicit(&cycle->new_rows, (long long)worker->rows.count,
                                  memory_order_relaxed);
        atomic_fetch_add_explicit(&cycle->new_games, 1, memory_order_relaxed);
    }
    strbuf_clear(&sgf);
    return status;
}

/* Of a process that plays, for the one that writes the index: what was done since the last note. */
static void note_work(Cycle *cycle, Journal *journal) {
    int64_t evaluations = atomic_load(&cycle->evaluations);
    if (cycle->role != CYCLE_PLAYS || !journal_games(journal)) return;
    journal_note(journal, evaluations - cycle->evaluations_noted,
                 cycle->compute - cycle->compute_kept);
    cycle->evaluations_noted = evaluations;
    cycle->compute_kept = cycle->compute;
}

Status workers_publish(Cycle *cycle, Error *err) {
    Status status = OK;
    for (int i = 0; cycle->workers && i < cycle->threads && !status; i++) {
        Worker *worker = &cycle->workers[i];
        if (!worker->journal) continue;
        note_work(cycle, worker->journal);
        status = publish(worker, err);
    }
    return status;
}
