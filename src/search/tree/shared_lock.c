#include "search/tree/shared_lock.h"

#include <sched.h>

void shared_lock_init(SharedLock *lock, int threads) {
    for (int i = 0; i < SHARED_LOCK_THREADS_MAX; i++)
        atomic_init(&lock->threads[i].inside, false);
    lock->thread_count = threads;
    atomic_init(&lock->closed, false);
    pthread_mutex_init(&lock->alone, NULL);
}

void shared_lock_clear(SharedLock *lock) {
    pthread_mutex_destroy(&lock->alone);
}

/* The two sides are a thread that shares the lock and a thread that wants exclusive use. Each side
 * first stores its own flag and then loads the flag of the other side (Dekker's algorithm). All
 * sequentially consistent operations have one order, so at least one side sees the flag of the
 * other side. */
void shared_lock_enter(SharedLock *lock, int thread) {
    for (;;) {
        atomic_store_explicit(&lock->threads[thread].inside, true, memory_order_seq_cst);
        if (!atomic_load_explicit(&lock->closed, memory_order_seq_cst)) return;
        atomic_store_explicit(&lock->threads[thread].inside, false, memory_order_release);
        pthread_mutex_lock(&lock->alone); /* until exclusive use ends */
        pthread_mutex_unlock(&lock->alone);
    }
}

void shared_lock_leave(SharedLock *lock, int thread) {
    atomic_store_explicit(&lock->threads[thread].inside, false, memory_order_release);
}

void shared_lock_begin_exclusive(SharedLock *lock) {
    pthread_mutex_lock(&lock->alone);
    atomic_store_explicit(&lock->closed, true, memory_order_seq_cst);
    for (int i = 0; i < lock->thread_count; i++) {
        while (atomic_load_explicit(&lock->threads[i].inside, memory_order_seq_cst))
            sched_yield();
    }
}

void shared_lock_end_exclusive(SharedLock *lock) {
    atomic_store_explicit(&lock->closed, false, memory_order_seq_cst);
    pthread_mutex_unlock(&lock->alone);
}
