/* thread.h - threads, the number of processors that this process may use, and the stop flag.
 * Threading: shared. */
#pragma once
#include "base/error.h"
#include <pthread.h>
#include <stdatomic.h>

int thread_processors(void); /* by affinity and cgroup quota; at least 1 */
/* The minimum stack of a thread. go/ladder/ladder_reading.c needs up to 2.3 MB, and the system's
 * default may be smaller: it is 2 MB where `ulimit -s` is unlimited. Only pages that are used take
 * memory. */
enum { THREAD_STACK_BYTES = 8 << 20 };
MUST_USE Status thread_start(pthread_t *out, void *(*body)(void *), void *argument, Error *err);

/* Runs body(argument, index) for index 0 .. count-1, each on its own thread, and returns when all
 * are done. The caller's thread runs index 0. ERR_MEMORY: not all threads could be started; none of
 * the bodies has run then. */
MUST_USE Status thread_parallel(int count, void (*body)(void *argument, int index), void *argument,
                                Error *err);

/* The stop flag, which SIGINT and SIGTERM raise. main() calls stop_install() once, which also makes
 * the process ignore SIGPIPE. Another SIGINT or SIGTERM more than 0.3 s after the first ends the
 * process immediately. */
void stop_install(void);
void stop_request(void);
/* Makes SIGINT and SIGTERM end the process immediately again, as before stop_install(). This is for
 * work that leaves nothing behind when it is killed. */
void stop_uninstall(void);
bool stop_requested(void);
