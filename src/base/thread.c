#define _GNU_SOURCE
#include "base/thread.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The number of processors that the quota of the cgroup grants, or 0 if there is no quota. Reads
 * the file of cgroups version 2, or those of version 1. */
static int quota_processors(void) {
    double quota = 0, period = 0;
    FILE *stream = fopen("/sys/fs/cgroup/cpu.max", "r");
    if (stream) {
        if (fscanf(stream, "%lf %lf", &quota, &period) != 2) quota = 0;
        fclose(stream);
    } else {
        stream = fopen("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "r");
        if (stream && fscanf(stream, "%lf", &quota) != 1) quota = 0;
        if (stream) fclose(stream);
        stream = fopen("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "r");
        if (stream && fscanf(stream, "%lf", &period) != 1) period = 0;
        if (stream) fclose(stream);
    }
    return quota > 0 && period > 0 ? (int)ceil(quota / period) : 0;
}

int thread_processors(void) {
    cpu_set_t set;
    /* The call fails if the machine has more processors than the set has room for. */
    int count = sched_getaffinity(0, sizeof set, &set) ? (int)sysconf(_SC_NPROCESSORS_ONLN)
                                                       : CPU_COUNT(&set);
    int quota = quota_processors();
    if (quota && quota < count) count = quota;
    return count > 0 ? count : 1;
}

Status thread_start(pthread_t *out, void *(*body)(void *), void *argument, Error *err) {
    pthread_attr_t attributes;
    size_t bytes = 0;
    int code = pthread_attr_init(&attributes);
    if (code) return fail(err, ERR_MEMORY, "cannot start a thread: %s", strerror(code));
    pthread_attr_getstacksize(&attributes, &bytes);
    if (bytes < THREAD_STACK_BYTES) pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    code = pthread_create(out, &attributes, body, argument);
    pthread_attr_destroy(&attributes);
    return code ? fail(err, ERR_MEMORY, "cannot start a thread: %s", strerror(code)) : OK;
}

/* The state that the threads of one call share. Each thread waits until it is known whether all of
 * them could be started. If so, they run the body; otherwise they end without it. */
typedef struct {
    void (*body)(void *, int);
    void *argument;
    pthread_mutex_t lock;
    pthread_cond_t decided;
    enum { UNDECIDED, WORK, END } decision; /* guarded by lock */
} Parallel;
typedef struct {
    Parallel *parallel;
    int index;
    pthread_t thread;
} Task;

static void *run_task(void *argument) {
    Task *task = argument;
    Parallel *parallel = task->parallel;
    pthread_mutex_lock(&parallel->lock);
    while (parallel->decision == UNDECIDED)
        pthread_cond_wait(&parallel->decided, &parallel->lock);
    bool work = parallel->decision == WORK;
    pthread_mutex_unlock(&parallel->lock);
    if (work) parallel->body(parallel->argument, task->index);
    return NULL;
}

Status thread_parallel(int count, void (*body)(void *argument, int index), void *argument,
                       Error *err) {
    if (count < 1) return OK;
    Task *tasks = calloc((size_t)count, sizeof *tasks);
    if (!tasks) return fail(err, ERR_MEMORY, "no memory for %d threads", count);
    Parallel parallel = {.body = body,
                         .argument = argument,
                         .lock = PTHREAD_MUTEX_INITIALIZER,
                         .decided = PTHREAD_COND_INITIALIZER};
    int started = 1;
    Status status = OK;
    for (; started < count && !status; started += !status) {
        tasks[started] = (Task){.parallel = &parallel, .index = started};
        status = thread_start(&tasks[started].thread, run_task, &tasks[started], err);
    }
    pthread_mutex_lock(&parallel.lock);
    parallel.decision = status ? END : WORK;
    pthread_cond_broadcast(&parallel.decided);
    pthread_mutex_unlock(&parallel.lock);
    if (!status) body(argument, 0);
    for (int i = 1; i < started; i++)
        pthread_join(tasks[i].thread, NULL);
    free(tasks);
    return status;
}

static atomic_int stops;
static atomic_llong first_signal_ms; /* 0 before the first signal */

/* A signal that comes soon after the first one is not a second request: some programs, such as
 * coreutils' timeout, signal a process and its group at the same time. */
static void on_signal(int signal_number) {
    enum { SOON_MS = 300 };
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long ms = (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
    long long first_ms = 0; /* if two threads get signals at the same time, only one is the first */
    bool first = atomic_compare_exchange_strong(&first_signal_ms, &first_ms, ms);
    stop_request();
    if (!first && ms - first_ms > SOON_MS) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
}

void stop_install(void) {
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
}

void stop_uninstall(void) {
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
}

void stop_request(void) {
    atomic_fetch_add_explicit(&stops, 1, memory_order_relaxed);
}

bool stop_requested(void) {
    return atomic_load_explicit(&stops, memory_order_relaxed) > 0;
}
