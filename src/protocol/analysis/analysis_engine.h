/* analysis_engine.h - the state that the threads of the analysis engine share: the tasks that wait,
 * the tasks that workers search, and the writing of answers. A task is one position of a query. It
 * goes this way:
 * 1. The reading thread adds it to the heap with analysis_enqueue().
 * 2. A worker moves it to an ActiveTask with analysis_take_task(), replays the game up to its turn
 *    and searches the position.
 * 3. The worker may send reports with analysis_answer().
 * 4. The worker gives the last answer with analysis_finish_task().
 * Threading: shared. Where both locks are needed, `write_lock` is taken before `lock`. */
#pragma once
#include "base/json.h"
#include "base/thread.h"
#include "protocol/analysis/analysis_setup.h"
#include "protocol/analysis/analysis_task.h"

/* A place for a task that a worker searches. */
typedef struct {
    AnalysisTask task; /* its query is NULL if the place is free; guarded by the engine's lock */
    atomic_bool terminated; /* the work must end now and answer with what it has found */
} ActiveTask;

typedef struct {
    AnalysisSetup setup;
    pthread_mutex_t lock;
    /* Signalled when tasks were added, when the last task of a client was finished, and when the
     * engine closes. */
    pthread_cond_t changed;
    TaskHeap heap;      /* guarded by lock */
    uint64_t sequence;  /* number of the next task; guarded by lock */
    ActiveTask *active; /* [active_count], positions_at_once for each thread */
    int active_count;
    atomic_int waiting_count; /* tasks in the heap; may be read without the lock */
    atomic_bool closing;
    pthread_mutex_t write_lock; /* held while an answer is written */
} AnalysisEngine;

/* Copies the setup. After a failure (ERR_MEMORY) analysis_engine_clear() must be called too. */
MUST_USE Status analysis_engine_init(AnalysisEngine *engine, const AnalysisSetup *setup,
                                     Error *err);
/* Asks all workers to end. */
void analysis_engine_close(AnalysisEngine *engine);
bool analysis_engine_is_closing(const AnalysisEngine *engine);
/* Frees what the engine holds. Called after all workers have ended. */
void analysis_engine_clear(AnalysisEngine *engine);

/* Adds a task for each turn that the query wants to be analysed. ERR_MEMORY: no task is added. */
MUST_USE Status analysis_enqueue(AnalysisEngine *engine, AnalysisQuery *query, Error *err);
/* Waits until there is a task or the engine closes. */
void analysis_wait_for_task(AnalysisEngine *engine);
/* Moves the next task from the heap to the free place `active_task`. Returns false if no task
 * waits. */
bool analysis_take_task(AnalysisEngine *engine, ActiveTask *active_task);
/* Terminates the tasks for which matches(context, task) is true. Tasks that workers search are
 * marked as `terminated`, and their workers answer. Tasks that wait are moved from the heap to
 * `*out`; the caller answers them and frees the array. Returns the number of tasks in `*out`. The
 * caller holds `lock`. */
size_t analysis_terminate(AnalysisEngine *engine,
                          bool (*matches)(const void *context, const AnalysisTask *task),
                          const void *context, AnalysisTask **out);

/* Writes `answer` to the client and frees it. If `answer` is NULL, because there was no memory for
 * it, the client gets an error. */
void analysis_write(AnalysisEngine *engine, AnalysisClient *client, json_t *answer);
/* Writes `answer` to the client of the query, if the client is still there, and frees it. */
void analysis_answer(AnalysisEngine *engine, const AnalysisQuery *query, json_t *answer);
/* Writes the last answer to a task, frees `answer`, and releases the task. */
void analysis_finish_task(AnalysisEngine *engine, AnalysisTask *task, json_t *answer);
/* Releases the task without an answer. */
void analysis_drop_task(AnalysisEngine *engine, AnalysisTask *task);
/* Answers the first call for a query with an error about `field`, and drops those of its tasks that
 * wait. Tasks that workers hold are dropped by them, since each of them fails in the same way. */
void analysis_refuse_query(AnalysisEngine *engine, AnalysisQuery *query, const char *field,
                           const char *text);
/* Returns an answer that reports an error. `id` and `field` may be NULL. */
json_t *analysis_error(const char *id, const char *field, const char *text);
