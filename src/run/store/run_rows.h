/* run_rows.h - the rows of a run: how many rows there are, in which files they are, and the loader
 * that reads the rows in the window of training (data/window.h). Threading: confined, except
 * `new_rows` and `new_games`, to which the threads of self-play add. */
#pragma once
#include "data/loader.h"
#include "run/store/run_clock.h"
#include "run/store/run_plan.h"
#include "run/store/run_store.h"
#include <stdatomic.h>

typedef struct {
    Loader *loader; /* NULL in a process that does not train */
    Arena known_arena;
    char **known; /* paths of the row files that the loader has */
    size_t known_count, known_capacity;
    /* The number of rows of the run. A process without a loader only estimates this number: it adds
     * the rows that it makes itself. If a newer net's file says a higher number, it takes that
     * number. */
    int64_t count;
    int64_t random; /* number of rows from random play; only with a loader */
    int64_t games;  /* games of the run in the index; without a loader, of this process */
    int64_t played; /* rows made by this process */
    /* Rows and games of the present phase of self-play. After the phase, new_rows stays as it is,
     * and new_games is 0. */
    atomic_llong new_rows, new_games;
} RunRows;

/* Makes a loader without files. */
MUST_USE Status run_rows_open(RunRows *rows, const LoaderSettings *loader, Error *err);
void run_rows_clear(RunRows *rows);
/* Adds new row files to the index and to the loader. Adds the work in their notes (WorkNote in
 * journal.h) to the clock. Sets damaged files aside, including those that the loader has found. */
MUST_USE Status run_rows_read(RunRows *rows, const RunPlan *plan, RunStore *store, RunClock *clock,
                              Error *err);
/* Sets aside the bad files that the loader has found, and takes their rows out of the counts. */
void run_rows_set_bad_aside(RunRows *rows, const RunStore *store);
