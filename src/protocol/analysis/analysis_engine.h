/* analysis_engine.h - the state that the threads of the analysis engine share. It consists of the
 * waiting tasks, of the tasks that workers search, and of what is needed to write answers. A task
 * is one position of a query. The task passes through these steps:
 * 1. The reading thread adds it to the heap of its client with analysis_enqueue().
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
    atomic_bool terminated; /* the worker must end this search now and answer */
} ActiveTask;

/* The tasks of a client that wait. */
typedef struct {
    AnalysisClient *client;
    TaskHeap heap;
    uint64_t last_taken; /* taken_count when its last task was taken; 0: none was */
} ClientTasks;

typedef struct {
    AnalysisSetup setup;
    pthread_mutex_t lock;
    /* Signalled when tasks were added, when the last task of a client was finished, and when the
     * engine closes. */
    pthread_cond_t changed;
    ClientTasks *clients;                 /* that have sent a query and not left; guarded by lock */
    size_t client_count, client_capacity; /* guarded by lock */
    uint64_t sequence;                    /* number of the next task; guarded by lock */
    uint64_t taken_count;                 /* tasks that workers have taken; guarded by lock */
    ActiveTask *active; /* [active_count], analysis_setup_places() for each thread */
    int active_count;
    atomic_int waiting_count; /* tasks in all heaps; may be read without the lock */
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
/* Waits until `changed` is signalled, but at most 50 milliseconds. The limit is needed because
 * nothing signals `changed` when the process is asked to stop or a client has read answers. The
 * caller holds `lock`. */
void analysis_wait_for_change(AnalysisEngine *engine);
/* Waits until there is a task that can be searched or the engine closes. */
void analysis_wait_for_task(AnalysisEngine *engine);
/* Moves the next task from its heap to the free place `active_task`. Clients take turns, whatever
 * the priorities of their tasks; clients that are behind with reading have to wait. `extra`: it is
 * an extra place, which only clients with a single unanswered task get. Returns false if there is no
 * task that can be searched, or if the engine closes. */
bool analysis_take_task(AnalysisEngine *engine, ActiveTask *active_task, bool extra);
/* Terminates the tasks of the client for which matches(context, task) is true. Tasks that workers
 * search are marked as `terminated`, and their workers answer. For tasks that wait, the client gets
 * an answer without results. ERR_MEMORY: tasks that wait stay. */
MUST_USE Status analysis_terminate(AnalysisEngine *engine, const AnalysisClient *client,
                                   bool (*matches)(const void *context, const AnalysisTask *task),
                                   const void *context, Error *err);
/* Drops all tasks of the client. Nothing is written to it afterwards. */
void analysis_drop_client(AnalysisEngine *engine, AnalysisClient *client);

/* Writes `answer` to the client and frees it. If `answer` is NULL, because there was no memory for
 * it, the client gets an error. */
void analysis_write(AnalysisEngine *engine, AnalysisClient *client, json_t *answer);
/* Whether reports during the search are sent to the client of the query. A client that is behind
 * with reading gets none. */
bool analysis_wants_report(AnalysisEngine *engine, const AnalysisQuery *query);
/* Writes `answer` to the client of the query, if the client is still there, and frees it. */
void analysis_answer(AnalysisEngine *engine, const AnalysisQuery *query, json_t *answer);
/* Writes the last answer to a task, frees `answer`, and releases the task. */
void analysis_finish_task(AnalysisEngine *engine, AnalysisTask *task, json_t *answer);
/* Releases the task without an answer. */
void analysis_drop_task(AnalysisEngine *engine, AnalysisTask *task);
/* Refuses a query. The first call for the query answers the client with an error about `field`.
 * Each call drops the tasks of the query that wait. The tasks of the query that workers hold will
 * fail in the same way; each worker drops its own task. */
void analysis_refuse_query(AnalysisEngine *engine, AnalysisQuery *query, const char *field,
                           const char *text);
/* Returns an answer that reports an error. `id` and `field` may be NULL. */
json_t *analysis_error(const char *id, const char *field, const char *text);
