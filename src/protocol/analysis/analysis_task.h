/* analysis_task.h - the tasks of the analysis engine that wait for their search, in a heap. A task
 * is one position of a query. Call task_heap_reserve() before task_heap_push().
 * Threading: confined. */
#pragma once
#include "protocol/analysis/analysis_query.h"

/* One turn of a query. Tasks of higher priority are searched first, and those of equal priority in
 * the order of their sequence numbers. */
typedef struct {
    AnalysisQuery *query; /* the task is one of its holders */
    int turn;
    int64_t priority;
    uint64_t sequence;
} AnalysisTask;

/* Whether `a` is searched before `b`. */
bool task_comes_before(const AnalysisTask *a, const AnalysisTask *b);

typedef struct {
    AnalysisTask *tasks; /* a binary heap; tasks[0] comes next */
    size_t count, capacity;
} TaskHeap;

/* Makes room for `more` tasks. Fails only with ERR_MEMORY. */
MUST_USE Status task_heap_reserve(TaskHeap *heap, size_t more, Error *err);
void task_heap_push(TaskHeap *heap, AnalysisTask task);
/* Takes the next task out of the heap. Returns false if the heap is empty. */
bool task_heap_pop(TaskHeap *heap, AnalysisTask *out);
/* Takes out all tasks for which matches(context, task) is true. Writes them to `*out`, which the
 * caller frees, in the order in which they would have been searched, and their number to `*count`.
 * If there is no memory (ERR_MEMORY), it takes out none. */
MUST_USE Status task_heap_take(TaskHeap *heap,
                               bool (*matches)(const void *context, const AnalysisTask *task),
                               const void *context, AnalysisTask **out, size_t *count, Error *err);
