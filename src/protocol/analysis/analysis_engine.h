/* analysis_engine.h - the state that the threads of the analysis engine share: the tasks that wait,
 * the slots with the tasks that are searched, and the answers. A task goes this way: the reading
 * thread calls analysis_enqueue(), a worker takes the task with analysis_next(), may send reports
 * with analysis_answer(), and gives the last answer with analysis_end().
 * Threading: shared. Where both locks are needed, `writing` is taken before `lock`. */
#pragma once
#include "base/json.h"
#include "base/thread.h"
#include "protocol/analysis/analysis_setup.h"
#include "protocol/analysis/analysis_task.h"

/* A place for one search. */
typedef struct {
    AnalysisTask task;    /* query NULL: the slot is free; guarded by the engine's lock */
    atomic_bool given_up; /* the search ends, and its answer says what was found so far */
} AnalysisSlot;

typedef struct {
    AnalysisSetup setup;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a task came, or one ended */
    TaskHeap heap;          /* guarded by lock */
    uint64_t sequence;      /* of the next task; guarded by lock */
    AnalysisSlot *slots;    /* positions_at_once for each thread */
    int slot_count;
    atomic_int waiting; /* number of tasks in the heap, for threads without the lock */
    atomic_bool closing;
    pthread_mutex_t writing; /* held while an answer is written */
} AnalysisEngine;

/* ERR_MEMORY: the engine is to be cleared all the same. */
MUST_USE Status analysis_engine_init(AnalysisEngine *engine, const AnalysisSetup *setup,
                                     Error *err);
/* Tells all threads to end. */
void analysis_engine_close(AnalysisEngine *engine);
bool analysis_engine_is_closing(const AnalysisEngine *engine);
/* After all threads have ended. */
void analysis_engine_clear(AnalysisEngine *engine);

/* Adds a task for each turn that the query wants, or none. ERR_MEMORY. */
MUST_USE Status analysis_enqueue(AnalysisEngine *engine, AnalysisQuery *query, Error *err);
/* Waits until there is a task or the engine closes. */
void analysis_await(AnalysisEngine *engine);
/* Moves the next task to a free slot. false: no task waits. */
bool analysis_next(AnalysisEngine *engine, AnalysisSlot *slot);
/* Gives up the tasks that `matches` accepts: tells the searches of them to end, takes those that
 * wait out of the heap and writes them to `*out` (the caller frees it). Returns their number. The
 * caller holds `lock`. */
size_t analysis_give_up(AnalysisEngine *engine,
                        bool (*matches)(const void *what, const AnalysisTask *task),
                        const void *what, AnalysisTask **out);

/* Takes `answer`, which may be NULL for want of memory, and writes it to the client. */
void analysis_write(AnalysisEngine *engine, AnalysisClient *client, json_t *answer);
/* Takes `answer` and writes it to the client of the query, if that is still there. */
void analysis_answer(AnalysisEngine *engine, const AnalysisQuery *query, json_t *answer);
/* Takes the last answer to a task, writes it, and releases the task. */
void analysis_end(AnalysisEngine *engine, AnalysisTask *task, json_t *answer);
/* Makes an answer that reports an error. `id` and `field` may be NULL. */
json_t *analysis_error(const char *id, const char *field, const char *text);
