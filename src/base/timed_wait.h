/* timed_wait.h - waits for a condition for a limited time. Threading: as the condition and lock. */
#pragma once
#include <pthread.h>
#include <time.h>

/* Waits at most `ms` milliseconds, fewer than 1,000, for the condition. The caller holds the lock.
 * `clock` is the clock of the condition: CLOCK_REALTIME unless its attributes name another. Says
 * nothing about why the waiting ended, so the caller looks at its own state again. */
static inline void timed_wait(pthread_cond_t *condition, pthread_mutex_t *lock, clockid_t clock,
                              int ms) {
    struct timespec until;
    clock_gettime(clock, &until);
    until.tv_nsec += ms * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_cond_timedwait(condition, lock, &until);
}
