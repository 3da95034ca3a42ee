/* analysis_private.h - what the files of the analysis engine share. */
#pragma once
#include "base/thread.h"
#include "protocol/analysis_reply.h"

/* A turn of a query that waits. Higher priority first, then as they came. */
typedef struct {
    AnalysisQuery *query; /* held */
    int turn;
    int64_t priority;
    uint64_t sequence;
} AnalysisTask;

typedef struct {
    AnalysisTask *tasks; /* a heap: the next one first */
    size_t count, capacity;
} TaskHeap;
MUST_USE Status task_heap_reserve(TaskHeap *heap, size_t more, Error *err); /* ERR_MEMORY */
void task_heap_push(TaskHeap *heap, AnalysisTask task);                     /* there is room */
bool task_heap_pop(TaskHeap *heap, AnalysisTask *out);
/* Takes out those that `matches`, first ones first; how many were written to *out (free() it). */
size_t task_heap_take(TaskHeap *heap, bool (*matches)(const void *what, const AnalysisTask *task),
                      const void *what, AnalysisTask **out);

typedef struct AnalysisWorker AnalysisWorker;

/* A search under way. */
typedef struct {
    AnalysisTask task;    /* query NULL: the slot is free; guarded by the engine's lock */
    atomic_bool given_up; /* tells what it has, and ends */
} AnalysisSlot;

struct Analysis {
    AnalysisSetup setup;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* a task came, or one ended */
    TaskHeap heap;          /* guarded by lock, as are those below */
    uint64_t sequence;
    AnalysisWorker **workers;
    int worker_count;
    atomic_int waiting; /* tasks of the heap, for who looks without the lock */
    atomic_bool closing;
    pthread_mutex_t writing; /* one answer at a time; taken before `lock` */
};

/* Takes `answer`, which may be NULL. */
void analysis_write(Analysis *analysis, AnalysisClient *client, json_t *answer);
/* The same to the client of a query, if that is still there. */
void analysis_answer(Analysis *analysis, const AnalysisQuery *query, json_t *answer);
/* The last answer to a task, which is released. */
void analysis_end(Analysis *analysis, AnalysisTask *task, json_t *answer);
json_t *analysis_error(const char *id, const char *field, const char *text);

/* The string "id" of an object whose text may be cut short: json_decref() it; NULL: it is not
 * there. */
json_t *analysis_find_id(const char *line);

/* "action" of a line is `name`. */
void analysis_act(Analysis *analysis, AnalysisClient *client, const char *name, json_t *line);

MUST_USE Status analysis_worker_new(Analysis *analysis, AnalysisWorker **out, Error *err);
/* After `closing` was set and told. */
void analysis_worker_free(AnalysisWorker *worker);
/* positions_at_once of them. */
AnalysisSlot *analysis_worker_slot(AnalysisWorker *worker, int index);
