/* driver.h - runs searches on evaluators: one deep search, by several threads if it has an
 * evaluator for each, or many at once whose leaves share its batches. Threading: confined; several
 * drivers on several threads are how a machine is filled with small searches. */
#pragma once
#include "base/thread.h"
#include "eval/evaluators/evaluator.h"
#include "search/core/search.h"

typedef struct Driver Driver;
MUST_USE Status driver_new(Evaluator *evaluator /* borrowed */, Driver **out, Error *err);
/* An evaluator (borrowed) for each of `threads` threads on one tree; searches of driver_step() and
 * driver_evaluate() are on the first. */
MUST_USE Status driver_new_threads(Evaluator *const *evaluators, int threads, Driver **out,
                                   Error *err);
void driver_free(Driver *driver);

/* Runs one search (after search_begin) to its limits, search_leaves() in flight on each thread,
 * until `*stop` (may be NULL), the time limit, or `is_enough`: at most one batch later. */
typedef struct {
    double seconds;          /* 0: no limit; a batch that would end later is not begun */
    const atomic_bool *stop; /* NULL: none */
    void (*on_progress)(void *context,
                        const Search *search); /* NULL; called about every interval_seconds */
    void *context;
    double interval_seconds;
    /* NULL; asked about every check_seconds, `elapsed` since the run began; true ends it. */
    bool (*is_enough)(void *context, const Search *search, double elapsed);
    double check_seconds;
} DriverRun;
MUST_USE Status driver_run(Driver *driver, Search *search, const DriverRun *run, Error *err);

/* One round of many searches: collects from each that is not done, evaluates in batches, gives
 * back. *active gets how many are not done. */
MUST_USE Status driver_step(Driver *driver, Search *const *searches, int count, int *active,
                            Error *err);
/* One evaluation of a position outside any search. */
MUST_USE Status driver_evaluate(Driver *driver, const EvaluationRequest *request, Evaluation *out,
                                Error *err);
