#include "base/queue.h"
#include "base/memory.h"
#include <pthread.h>
#include <stdlib.h>

struct Queue {
    pthread_mutex_t lock;
    pthread_cond_t filled, emptied;
    void **items; /* guarded by lock, as all below */
    int capacity, first, count;
    bool closed;
};

Status queue_new(int capacity, Queue **out, Error *err) {
    *out = NULL;
    if (capacity < 1) return fail(err, ERR_ARGUMENT, "a queue of %d", capacity);
    Queue *queue;
    Status status = mem_new(1, sizeof *queue, &queue, err);
    if (status) return status;
    status = mem_new((size_t)capacity, sizeof *queue->items, &queue->items, err);
    if (status) {
        free(queue);
        return status;
    }
    queue->capacity = capacity;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->filled, NULL);
    pthread_cond_init(&queue->emptied, NULL);
    *out = queue;
    return OK;
}

void queue_free(Queue *queue) {
    if (!queue) return;
    pthread_mutex_destroy(&queue->lock);
    pthread_cond_destroy(&queue->filled);
    pthread_cond_destroy(&queue->emptied);
    free(queue->items);
    free(queue);
}

bool queue_push(Queue *queue, void *item) {
    pthread_mutex_lock(&queue->lock);
    while (!queue->closed && queue->count == queue->capacity)
        pthread_cond_wait(&queue->emptied, &queue->lock);
    bool pushed = !queue->closed;
    if (pushed) {
        queue->items[(queue->first + queue->count++) % queue->capacity] = item;
        pthread_cond_signal(&queue->filled);
    }
    pthread_mutex_unlock(&queue->lock);
    return pushed;
}

static bool take(Queue *queue, void **item) {
    if (!queue->count) return false;
    *item = queue->items[queue->first];
    queue->first = (queue->first + 1) % queue->capacity;
    queue->count--;
    pthread_cond_signal(&queue->emptied);
    return true;
}

bool queue_pop(Queue *queue, void **item) {
    pthread_mutex_lock(&queue->lock);
    while (!queue->closed && !queue->count)
        pthread_cond_wait(&queue->filled, &queue->lock);
    bool popped = take(queue, item);
    pthread_mutex_unlock(&queue->lock);
    return popped;
}

bool queue_try_pop(Queue *queue, void **item) {
    pthread_mutex_lock(&queue->lock);
    bool popped = take(queue, item);
    pthread_mutex_unlock(&queue->lock);
    return popped;
}

int queue_count(Queue *queue) {
    pthread_mutex_lock(&queue->lock);
    int count = queue->count;
    pthread_mutex_unlock(&queue->lock);
    return count;
}

void queue_close(Queue *queue) {
    pthread_mutex_lock(&queue->lock);
    queue->closed = true;
    pthread_cond_broadcast(&queue->filled);
    pthread_cond_broadcast(&queue->emptied);
    pthread_mutex_unlock(&queue->lock);
}
