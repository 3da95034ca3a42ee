/* driver.h - runs searches on evaluators: either one deep search, on several threads if each has an
 * evaluator, or many searches at once, whose leaves share batches. Threading: confined. To keep
 * all cores busy with small searches, use one driver on each of several threads. */
#pragma once
#include "base/thread.h"
#include "eval/evaluators/evaluator.h"
#include "search/core/search.h"

typedef struct Driver Driver;
MUST_USE Status driver_new(Evaluator *evaluator /* borrowed */, Driver **out, Error *err);
/* Creates a driver for `threads` threads on one tree, with an evaluator (borrowed) for each.
 * driver_step() and driver_evaluate() use the first evaluator. ERR_ARGUMENT: the number of threads
 * is not 1 to SEARCH_THREADS_MAX. */
MUST_USE Status driver_new_threads(Evaluator *const *evaluators, int threads, Driver **out,
                                   Error *err);
void driver_free(Driver *driver);

/* How driver_run() runs a search, which must have begun (search_begin()). The search ends at its
 * limits, or at most one batch after the time limit is reached, *stop is set or `is_enough` returns
 * true. Each thread evaluates up to search_leaves() leaves at once. */
typedef struct {
    double seconds;          /* 0 means no limit; a batch that would end later does not begin */
    const atomic_bool *stop; /* NULL means never */
    void (*on_progress)(void *context,
                        const Search *search); /* NULL, or called about every interval_seconds */
    void *context;
    double interval_seconds;
    /* NULL, or called about every check_seconds with the seconds since the run began. If it returns
     * true, the run ends. */
    bool (*is_enough)(void *context, const Search *search, double elapsed);
    double check_seconds;
} DriverRun;
MUST_USE Status driver_run(Driver *driver, Search *search, const DriverRun *run, Error *err);

/* Does one round of many searches: collects leaves from each that is not done, evaluates them in
 * batches and gives the evaluations back. Sets *active to the number of searches that are not
 * done. */
MUST_USE Status driver_step(Driver *driver, Search *const *searches, int count, int *active,
                            Error *err);
/* Evaluates one position outside any search. */
MUST_USE Status driver_evaluate(Driver *driver, const EvaluationRequest *request, Evaluation *out,
                                Error *err);
