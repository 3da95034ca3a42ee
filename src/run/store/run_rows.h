/* run_rows.h - the rows of a run: how many there are, in which files they are, and the loader that
 * reads those of the window. Threading: confined, except `new_rows` and `new_games`, to which the
 * threads of self-play add. */
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
    int64_t count;  /* rows of the run. Without a loader: the rows of the run when its newest net
                       was made, and those that this process has added */
    int64_t random; /* how many of them are from random play; only with a loader */
    int64_t games;  /* of the run, by the index; without a loader those of this process */
    int64_t played; /* rows made by this process */
    atomic_llong new_rows, new_games; /* of the present or last phase of self-play */
} RunRows;

/* Makes the loader, which has no files yet. */
MUST_USE Status run_rows_open(RunRows *rows, const LoaderSettings *loader, Error *err);
void run_rows_clear(RunRows *rows);
/* Adds new row files to the index and to the loader, and the work in their notes to the clock. Bad
 * files are set aside, also those that the loader has found. */
MUST_USE Status run_rows_read(RunRows *rows, const RunPlan *plan, RunStore *store, RunClock *clock,
                              Error *err);
/* Sets aside the bad files that the loader has found. */
void run_rows_set_bad_aside(RunRows *rows, const RunStore *store);
