#include "run/store/run_totals.h"

#include <math.h>

#include "base/clock.h"

enum { KEEP_SECONDS = 2 }; /* time between two writes; a kill can lose at most this time */

Status run_totals_open(RunStore *store, RunClock *clock, RunRows *rows, Error *err) {
    Status status = run_store_open_index(store, err);
    if (status) return status;
    double games, evaluations;
    status = run_index_read(store->index, "seconds", &clock->seconds_before, err);
    if (!status) status = run_index_read(store->index, GAMES_FACT, &games, err);
    if (!status) status = run_index_read(store->index, "evaluations", &evaluations, err);
    if (!status) status = run_index_read(store->index, COMPUTE_FACT, &clock->multiply_adds, err);
    if (status) return status;
    rows->games = (int64_t)games;
    clock->counted = (int64_t)evaluations;
    atomic_store(&clock->evaluations, clock->counted);
    clock->multiply_adds_kept = clock->multiply_adds;
    return OK;
}

/* Writes the totals. Of the multiply-adds, adds only those that the index does not have yet. */
static Status write_totals(RunStore *store, RunClock *clock, double multiply_adds, Error *err) {
    const struct {
        const char *name;
        double value;
    } ALL[] = {{"seconds", run_clock_seconds(clock)},
               {"evaluations", (double)run_clock_evaluations(clock)}};
    RunIndex *index = store->index;
    Status status = run_store_check_locks(store, err);
    if (!status) status = run_index_begin(index, err);
    if (status) return status;
    status =
        run_index_add_value(index, COMPUTE_FACT, multiply_adds - clock->multiply_adds_kept, err);
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL && run_store_trains(store) && !status; i++)
        status = run_index_set_value(index, ALL[i].name, ALL[i].value, err);
    status = run_index_end(index, status, err);
    if (!status) clock->multiply_adds_kept = multiply_adds;
    return status;
}

void run_totals_keep_meanwhile(RunStore *store, RunClock *clock) {
    double now = clock_seconds();
    if (!store->index || now < clock->next_keep) return;
    clock->next_keep = now + KEEP_SECONDS;
    run_index_wait(store->index, false); /* self-play must not wait while another process writes */
    Status status = write_totals(store, clock, run_clock_multiply_adds(clock), NULL);
    (void)status; /* the next call tries again, and the end of the phase reports failures */
    run_index_wait(store->index, true);
}

Status run_totals_keep(RunStore *store, RunClock *clock, RunRows *rows, Error *err) {
    run_clock_settle(clock);
    if (!store->index) return OK;
    Status status = write_totals(store, clock, clock->multiply_adds, err);
    if (status) return status;
    double known, games;
    status = run_index_read(store->index, COMPUTE_FACT, &known, err);
    if (!status) status = run_index_read(store->index, GAMES_FACT, &games, err);
    if (status) return status;
    clock->multiply_adds = clock->multiply_adds_kept = fmax(known, clock->multiply_adds);
    if ((int64_t)games > rows->games) rows->games = (int64_t)games;
    return OK;
}
