#include "protocol/analysis/analysis_task.h"

#include <assert.h>
#include <stdlib.h>

#include "base/memory.h"

bool task_comes_before(const AnalysisTask *a, const AnalysisTask *b) {
    return a->priority != b->priority ? a->priority > b->priority : a->sequence < b->sequence;
}

static void swap_tasks(AnalysisTask *a, AnalysisTask *b) {
    AnalysisTask kept = *a;
    *a = *b;
    *b = kept;
}

static void sift_down(TaskHeap *heap, size_t at) {
    for (;;) {
        size_t first = at, left = 2 * at + 1, right = left + 1;
        if (left < heap->count && task_comes_before(&heap->tasks[left], &heap->tasks[first]))
            first = left;
        if (right < heap->count && task_comes_before(&heap->tasks[right], &heap->tasks[first]))
            first = right;
        if (first == at) return;
        swap_tasks(&heap->tasks[at], &heap->tasks[first]);
        at = first;
    }
}

Status task_heap_reserve(TaskHeap *heap, size_t more, Error *err) {
    return mem_grow(&heap->tasks, &heap->capacity, heap->count + more, sizeof *heap->tasks, err);
}

void task_heap_push(TaskHeap *heap, AnalysisTask task) {
    assert(heap->count < heap->capacity);
    size_t at = heap->count++;
    heap->tasks[at] = task;
    while (at && task_comes_before(&heap->tasks[at], &heap->tasks[(at - 1) / 2])) {
        swap_tasks(&heap->tasks[at], &heap->tasks[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
}

bool task_heap_pop(TaskHeap *heap, AnalysisTask *out) {
    if (!heap->count) return false;
    *out = heap->tasks[0];
    heap->tasks[0] = heap->tasks[--heap->count];
    sift_down(heap, 0);
    return true;
}

static int compare_tasks(const void *a, const void *b) {
    return task_comes_before(a, b) ? -1 : task_comes_before(b, a) ? 1 : 0;
}

Status task_heap_take(TaskHeap *heap,
                      bool (*matches)(const void *context, const AnalysisTask *task),
                      const void *context, AnalysisTask **out, size_t *count, Error *err) {
    size_t left = 0;
    *count = 0;
    Status status = mem_new(heap->count + 1, sizeof **out, out, err);
    if (status) return status;
    for (size_t i = 0; i < heap->count; i++) {
        if (matches(context, &heap->tasks[i]))
            (*out)[(*count)++] = heap->tasks[i];
        else
            heap->tasks[left++] = heap->tasks[i];
    }
    heap->count = left;
    for (size_t i = left / 2; i-- > 0;)
        sift_down(heap, i);
    qsort(*out, *count, sizeof **out, compare_tasks);
    return OK;
}
