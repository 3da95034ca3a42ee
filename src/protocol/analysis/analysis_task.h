/* analysis_task.h - the positions that wait for their search, as a heap. Call task_heap_reserve()
 * before task_heap_push().
 * Threading: confined. */
#pragma once
#include "protocol/analysis/analysis_query.h"

/* One turn of a query. Tasks of higher priority come first, and those of equal priority in the
 * order of their sequence numbers. */
typedef struct {
    AnalysisQuery *query; /* the task is one of its holders */
    int turn;
    int64_t priority;
    uint64_t sequence;
} AnalysisTask;

typedef struct {
    AnalysisTask *tasks; /* a binary heap; tasks[0] comes next */
    size_t count, capacity;
} TaskHeap;

/* Makes room for `more` tasks. ERR_MEMORY. */
MUST_USE Status task_heap_reserve(TaskHeap *heap, size_t more, Error *err);
void task_heap_push(TaskHeap *heap, AnalysisTask task);
/* Takes the next task out. false: the heap is empty. */
bool task_heap_pop(TaskHeap *heap, AnalysisTask *out);
/* Takes out all tasks for which matches(context, task) is true. Writes them to `*out` in their
 * order (the caller frees it) and returns their number, which is 0 if there is no memory. */
size_t task_heap_take(TaskHeap *heap,
                      bool (*matches)(const void *context, const AnalysisTask *task),
                      const void *context, AnalysisTask **out);
