#include "search/driver/driver.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/thread_team.h"

/* The evaluator and the buffers of one thread of a driver. */
typedef struct {
    Evaluator *evaluator;
    EvaluationRequest *leaves;
    Evaluation *evaluations;
    int capacity; /* maximum leaves of a batch */
} DriverThread;

struct Driver {
    DriverThread *threads;
    int thread_count;
    ThreadTeam *team; /* NULL if there is one thread, or before others are started */
    int *counts;      /* leaves of each search in the round of driver_step() */
    size_t count_capacity;
};

/* The arrays are aligned so that no two threads share a cache line. */
static Status thread_init(DriverThread *thread, Evaluator *evaluator, Error *err) {
    thread->evaluator = evaluator;
    thread->capacity = evaluator->batch;
    Status status =
        mem_new_aligned((size_t)thread->capacity, sizeof *thread->leaves, &thread->leaves, err);
    if (status) return status;
    return mem_new_aligned((size_t)thread->capacity, sizeof *thread->evaluations,
                           &thread->evaluations, err);
}

Status driver_new_threads(Evaluator *const *evaluators, int threads, Driver **out, Error *err) {
    Driver *driver;
    *out = NULL;
    if (threads < 1 || threads > SEARCH_THREADS_MAX)
        return fail(err, ERR_ARGUMENT, "%d threads on a tree, wanted 1 to %d", threads,
                    SEARCH_THREADS_MAX);
    Status status = mem_new(1, sizeof *driver, &driver, err);
    if (status) return status;
    status = mem_new((size_t)threads, sizeof *driver->threads, &driver->threads, err);
    for (int i = 0; i < threads && !status; i++) {
        driver->thread_count = i + 1;
        status = thread_init(&driver->threads[i], evaluators[i], err);
    }
    if (status)
        driver_free(driver);
    else
        *out = driver;
    return status;
}

Status driver_new(Evaluator *evaluator, Driver **out, Error *err) {
    return driver_new_threads(&evaluator, 1, out, err);
}

void driver_free(Driver *driver) {
    if (!driver) return;
    thread_team_free(driver->team);
    for (int i = 0; i < driver->thread_count; i++) {
        free(driver->threads[i].leaves);
        free(driver->threads[i].evaluations);
    }
    free(driver->threads);
    free(driver->counts);
    free(driver);
}

static Status no_move_left(Error *err) {
    return fail(err, ERR_ARGUMENT, "the search has no move left to look at, or was not begun");
}

/* Returns the error if a search refuses to go on (search_refusal()). */
static Status check_refusal(const Search *search, Error *err) {
    const char *refusal = search_refusal(search);
    return refusal ? fail(err, ERR_ARGUMENT, "%s", refusal) : OK;
}

/* Collects leaves. It is an error if a search that is not done makes no progress. */
static Status collect_leaves(Search *search, EvaluationRequest *leaves, int capacity, int *count,
                             Error *err) {
    int64_t visits = search_root_visits(search);
    Status status = check_refusal(search, err);
    if (status) return status;
    *count = search_collect(search, leaves, capacity);
    bool stands = !*count && search_root_visits(search) == visits && !search_done(search);
    return stands ? no_move_left(err) : OK;
}

/* The state of driver_run(). Only thread 0 changes it; but any thread may change `ended` and the
 * members that the lock guards. */
typedef struct {
    Driver *driver;
    Search *search;
    const DriverRun *run;
    double start, next_progress, next_check;
    int threads;       /* threads of the driver that take part */
    atomic_bool ended; /* tells all threads to end */
    pthread_mutex_t lock;
    Status status; /* of the first failure; guarded by lock, as is err */
    Error err;
} RunState;

/* Calls on_progress and is_enough if it is time. No other thread changes the search meanwhile. */
static void call_observers(RunState *state, double now, bool split) {
    const DriverRun *run = state->run;
    bool shows = run->on_progress && now >= state->next_progress;
    bool asks = run->is_enough && now >= state->next_check;
    if (!shows && !asks) return;
    if (split) search_pause(state->search);
    if (shows) run->on_progress(run->context, state->search);
    if (asks && run->is_enough(run->context, state->search, now - state->start))
        atomic_store_explicit(&state->ended, true, memory_order_relaxed);
    if (split) search_resume(state->search);
    if (shows) state->next_progress = now + run->interval_seconds;
    if (asks) state->next_check = now + run->check_seconds;
}

/* Whether the run is over, or a batch that takes `batch_seconds` would end too late. */
static bool is_over(const RunState *state, double now, double batch_seconds) {
    const DriverRun *run = state->run;
    if (atomic_load_explicit(&state->ended, memory_order_relaxed)) return true;
    if (run->stop && atomic_load_explicit(run->stop, memory_order_relaxed)) return true;
    return run->seconds > 0 && now - state->start + batch_seconds >= run->seconds;
}

static int leaves_that_fit(const DriverThread *thread, int leaves) {
    return leaves < thread->capacity ? leaves : thread->capacity;
}

static bool root_is_ready(const RunState *state) {
    return search_root_ready(state->search);
}

/* Runs the search on this thread alone until it ends or `until` returns true. `until` may be
 * NULL. */
static Status run_alone(RunState *state, bool (*until)(const RunState *), Error *err) {
    Search *search = state->search;
    DriverThread *thread = state->driver->threads;
    double now = clock_seconds(), evaluation_seconds = 0; /* of one evaluation */
    while (!search_done(search) && !(until && until(state))) {
        call_observers(state, now, false);
        bool enough = search_root_visits(search) > 0; /* so that there is always a move to play */
        int count, at_once = leaves_that_fit(thread, search_leaves(search));
        if (enough && is_over(state, now, evaluation_seconds * at_once)) break;
        Status status = collect_leaves(search, thread->leaves, at_once, &count, err);
        if (!status && count) {
            double begun = clock_seconds();
            status = evaluator_evaluate(thread->evaluator, thread->leaves, count,
                                        thread->evaluations, err);
            evaluation_seconds = (clock_seconds() - begun) / count;
        }
        if (status) return status;
        if (count) search_receive(search, thread->evaluations, count);
        now = clock_seconds();
    }
    return check_refusal(search, err);
}

static void end_run_with(RunState *state, Status status, const Error *err) {
    pthread_mutex_lock(&state->lock);
    if (!state->status) {
        state->status = status;
        state->err = *err;
    }
    pthread_mutex_unlock(&state->lock);
    atomic_store_explicit(&state->ended, true, memory_order_relaxed);
}

/* Waits after a round in which the thread found no leaf, because all leaves belong to other
 * threads. `busy` is the number of such rounds in a row. The first 20 rounds do not wait; from the
 * 200th round on the wait is longer. */
static void wait_for_others(int busy) {
    if (busy > 20) clock_sleep_us(busy < 200 ? 20 : 200);
}

/* Evaluates the leaves of a thread and gives them back. Sets *evaluation_seconds to the time of one
 * evaluation. */
static Status evaluate_in(RunState *state, int index, int count, double *evaluation_seconds,
                          Error *err) {
    DriverThread *thread = &state->driver->threads[index];
    double begun = clock_seconds();
    Status status =
        evaluator_evaluate(thread->evaluator, thread->leaves, count, thread->evaluations, err);
    *evaluation_seconds = (clock_seconds() - begun) / count;
    if (!status) search_receive_in(state->search, index, thread->evaluations, count);
    return status;
}

static void run_thread(void *context, int index) {
    RunState *state = context;
    DriverThread *thread = &state->driver->threads[index];
    int count, busy = 0;
    double evaluation_seconds = 0;
    while (index < state->threads) {
        double now = clock_seconds();
        int at_once = leaves_that_fit(thread, search_leaves_in(state->search, index));
        if (index == 0) call_observers(state, now, true);
        if (is_over(state, now, evaluation_seconds * at_once)) return;
        Error err = {0};
        Status status = OK;
        CollectResult result =
            search_collect_in(state->search, index, thread->leaves, at_once, &count);
        if (result == SEARCH_DONE) return;
        if (result == SEARCH_NONE) status = no_move_left(&err);
        if (result == SEARCH_LEAVES)
            status = evaluate_in(state, index, count, &evaluation_seconds, &err);
        if (status) {
            end_run_with(state, status, &err);
            return;
        }
        busy = result == SEARCH_BUSY ? busy + 1 : 0;
        wait_for_others(busy);
    }
}

/* driver_run() on several threads:
 * 1. This thread searches alone until the root has its evaluation.
 * 2. If the limits leave work for several threads and the methods allow it, the tree is split;
 *    otherwise this thread goes on alone.
 * 3. Each thread collects leaves, evaluates them with its own evaluator and backs them up, until
 *    the limits are reached, the run is over, or a thread fails (run_thread()).
 * 4. The search is joined again. */
static Status run_threads(RunState *state, Error *err) {
    Driver *driver = state->driver;
    Status status = run_alone(state, root_is_ready, err);
    if (status || !search_root_ready(state->search) || search_done(state->search)) return status;
    state->threads = search_threads(state->search, driver->thread_count);
    if (state->threads < 2 || !search_can_split(state->search) || search_refusal(state->search))
        return run_alone(state, NULL, err);
    if (!driver->team) status = thread_team_new(driver->thread_count, &driver->team, err);
    if (!status) status = search_split(state->search, state->threads, err);
    if (status) return status;
    pthread_mutex_init(&state->lock, NULL);
    thread_team_run(driver->team, run_thread, state);
    pthread_mutex_destroy(&state->lock);
    search_join(state->search);
    return state->status ? fail(err, state->status, "%s", state->err.message) : OK;
}

Status driver_run(Driver *driver, Search *search, const DriverRun *run, Error *err) {
    double start = clock_seconds();
    RunState state = {.driver = driver,
                      .search = search,
                      .run = run,
                      .start = start,
                      .next_progress = start + run->interval_seconds,
                      .next_check = start + run->check_seconds};
    return driver->thread_count > 1 ? run_threads(&state, err) : run_alone(&state, NULL, err);
}

/* Evaluates the leaves that searches first .. last-1 have collected, and gives them back. */
static Status evaluate_collected(Driver *driver, Search *const *searches, int first, int last,
                                 int filled, Error *err) {
    if (!filled) return OK;
    Status status = evaluator_evaluate(driver->threads->evaluator, driver->threads->leaves, filled,
                                       driver->threads->evaluations, err);
    int at = 0;
    for (int i = first; i < last && !status; i++) {
        if (driver->counts[i])
            search_receive(searches[i], driver->threads->evaluations + at, driver->counts[i]);
        at += driver->counts[i];
        status = check_refusal(searches[i], err);
    }
    return status;
}

Status driver_step(Driver *driver, Search *const *searches, int count, int *active, Error *err) {
    Status status = mem_grow(&driver->counts, &driver->count_capacity, (size_t)count,
                             sizeof *driver->counts, err);
    int first = 0, filled = 0;
    for (int i = 0; i < count && !status; i++) {
        driver->counts[i] = 0;
        if (search_done(searches[i])) continue;
        int wanted = leaves_that_fit(driver->threads, search_leaves(searches[i]));
        if (filled + wanted > driver->threads->capacity) {
            status = evaluate_collected(driver, searches, first, i, filled, err);
            first = i;
            filled = 0;
        }
        if (status) break;
        status = collect_leaves(searches[i], driver->threads->leaves + filled, wanted,
                                &driver->counts[i], err);
        filled += driver->counts[i];
    }
    if (!status) status = evaluate_collected(driver, searches, first, count, filled, err);
    *active = 0;
    for (int i = 0; i < count && !status; i++)
        *active += !search_done(searches[i]);
    return status;
}

Status driver_evaluate(Driver *driver, const EvaluationRequest *request, Evaluation *out,
                       Error *err) {
    return evaluator_evaluate(driver->threads->evaluator, request, 1, out, err);
}
