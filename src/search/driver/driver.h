/* driver.h - runs searches on evaluators. Either it runs one deep search, on several threads if
 * each thread has an evaluator; or it runs many searches at once, whose leaves share batches.
 * Threading: confined. To keep all cores busy with small searches, use one driver on each of
 * several threads. */
#pragma once
#include "base/thread.h"
#include "eval/evaluators/evaluator.h"
#include "search/core/search.h"

typedef struct Driver Driver;
MUST_USE Status driver_new(Evaluator *evaluator /* borrowed */, Driver **out, Error *err);
/* Creates a driver for `threads` threads on one tree. Each thread has its own evaluator; the
 * evaluators are borrowed. driver_step() and driver_evaluate() use the first evaluator.
 * ERR_ARGUMENT: the number of threads is not 1 to SEARCH_THREADS_MAX. */
MUST_USE Status driver_new_threads(Evaluator *const *evaluators, int threads, Driver **out,
                                   Error *err);
void driver_free(Driver *driver);

/* How driver_run() runs a search, which must have begun (search_begin()). The search ends at its
 * limits. It also ends, at most one batch later, when the time is up, when *stop is set, or when
 * `is_enough` returns true. Each thread evaluates at most search_leaves() leaves at once, and at
 * most as many as a batch of its evaluator holds. */
typedef struct {
    /* Limit on the time; 0 means none. A batch that would probably end after this limit does not
     * begin; but the root always gets its first evaluation. */
    double seconds;
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
/* ERR_ARGUMENT: the search has not begun, has no move left, or lacks something (search_refusal()).
 * Other errors, here and below, are those of evaluators. */
MUST_USE Status driver_run(Driver *driver, Search *search, const DriverRun *run, Error *err);

/* Does one round of many searches: collects leaves from each that is not done, evaluates them in
 * batches and gives the evaluations back. Sets *active to the number of searches that are not done.
 * ERR_ARGUMENT: as in driver_run(), for at least one of the searches. */
MUST_USE Status driver_step(Driver *driver, Search *const *searches, int count, int *active,
                            Error *err);
/* Evaluates one position outside any search. */
MUST_USE Status driver_evaluate(Driver *driver, const EvaluationRequest *request, Evaluation *out,
                                Error *err);
