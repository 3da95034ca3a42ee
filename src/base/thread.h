/* thread.h - threads, locks and the processors that this process may use. Threading: shared. */
#pragma once
#include "base/error.h"
#include <pthread.h>
#include <stdatomic.h>

int thread_processors(void); /* affinity and cgroup quota, at least 1 */
/* The least stack of a thread, whatever the system's default (2 MB where `ulimit -s` is unlimited):
 * go/ladder_reading.c needs up to 3 MB. The pages are taken as they are used. */
enum { THREAD_STACK_BYTES = 8 << 20 };
MUST_USE Status thread_start(pthread_t *out, void *(*body)(void *), void *argument, Error *err);

/* Runs body(argument, index) for index 0 .. count-1, each on a thread of its own (the caller is
 * number 0), and returns when all are done. */
MUST_USE Status thread_parallel(int count, void (*body)(void *argument, int index), void *argument,
                                Error *err);

/* The stop flag that SIGINT and SIGTERM raise. stop_install() is called once, by main; a second
 * signal, more than 0.3 s later, ends the process at once. */
void stop_install(void);
void stop_request(void);
void stop_uninstall(void); /* for work that leaves nothing behind: a signal ends the process */
bool stop_requested(void);
