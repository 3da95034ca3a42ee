/* shared_lock.h - a lock that many threads may share at the same time, or that one thread has
 * alone. To share the lock costs one store, to the thread's own cache line, and one load. Exclusive
 * use is slow and should be rare.
 *     shared:     shared_lock_enter(), shared_lock_leave()
 *     exclusive:  shared_lock_begin_exclusive(), shared_lock_end_exclusive()
 * Threading: shared; an index `thread` belongs to one thread at a time. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { SHARED_LOCK_THREADS_MAX = 64 };

typedef struct {
    struct {
        atomic_bool inside;
        char apart[63]; /* each thread has a cache line of its own */
    } threads[SHARED_LOCK_THREADS_MAX];
    int thread_count;
    atomic_bool closed;    /* a thread has exclusive use or waits for it */
    pthread_mutex_t alone; /* held during exclusive use */
} SharedLock;

/* Makes a lock for `threads` threads, which have the indices 0 .. threads-1. */
void shared_lock_init(SharedLock *lock, int threads);
void shared_lock_clear(SharedLock *lock);
void shared_lock_enter(SharedLock *lock, int thread); /* waits while a thread has exclusive use */
void shared_lock_leave(SharedLock *lock, int thread);
/* Waits until no thread shares the lock or has exclusive use. Afterwards no other thread gets the
 * lock until shared_lock_end_exclusive(). The caller must not share the lock. */
void shared_lock_begin_exclusive(SharedLock *lock);
void shared_lock_end_exclusive(SharedLock *lock);
