/* queue.h - a bounded queue of pointers between threads. Threading: shared. */
#pragma once
#include "base/error.h"

typedef struct Queue Queue; /* opaque */
MUST_USE Status queue_new(int capacity, Queue **out, Error *err);
void queue_free(Queue *queue);             /* does not free the items */
bool queue_push(Queue *queue, void *item); /* waits for room; false: closed */
bool queue_pop(Queue *queue, void **item); /* waits for an item; false: closed and empty */
bool queue_try_pop(Queue *queue, void **item);
int queue_count(Queue *queue);
void queue_close(Queue *queue); /* wakes everybody */
