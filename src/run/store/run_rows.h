/* run_rows.h - the rows of a run: how many there are, which files have them, and the loader that
 * reads those of the window. Threading: confined, but for `new_rows` and `new_games`, which the
 * threads of self-play add to. */
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
    int64_t count; /* rows of the run; without a loader those when its net was made, and own ones */
    int64_t random; /* of them rows of random play, as far as the loader has them */
    int64_t games; /* of the run, as the index knows them; without a loader those of this process */
    int64_t played;                   /* rows made by this process */
    atomic_llong new_rows, new_games; /* of the self-play under way, or of the last one */
} RunRows;

/* Makes the loader, without a file. */
MUST_USE Status run_rows_open(RunRows *rows, const LoaderSettings *loader, Error *err);
void run_rows_clear(RunRows *rows);
/* New row files into the index and the loader; bad ones, also those that the loader found since,
 * are set aside. What their makers noted counts for the clock. */
MUST_USE Status run_rows_read(RunRows *rows, const RunPlan *plan, RunStore *store, RunClock *clock,
                              Error *err);
/* Sets bad files aside that the loader found. */
void run_rows_set_bad_aside(RunRows *rows, const RunStore *store);
