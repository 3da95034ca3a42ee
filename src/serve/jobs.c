#include "serve/jobs.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/thread.h"

typedef struct Entry {
    struct Entry *next;
    Job job;
} Entry;

/* A queue of jobs, the oldest first. */
typedef struct {
    Entry *first, **end;
} Queue;

struct Jobs {
    JobsSetup setup;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Queue waiting, done; /* guarded by lock */
    bool closing;        /* guarded by lock */
};

static void queue_init(Queue *queue) {
    queue->first = NULL;
    queue->end = &queue->first;
}

static void queue_put(Queue *queue, Entry *entry) {
    entry->next = NULL;
    *queue->end = entry;
    queue->end = &entry->next;
}

static Entry *queue_take(Queue *queue) {
    Entry *entry = queue->first;
    if (!entry) return NULL;
    queue->first = entry->next;
    if (!queue->first) queue->end = &queue->first;
    return entry;
}

static void *run(void *argument) {
    Jobs *jobs = argument;
    pthread_mutex_lock(&jobs->lock);
    while (!jobs->closing) {
        Entry *entry = queue_take(&jobs->waiting);
        if (!entry) {
            pthread_cond_wait(&jobs->changed, &jobs->lock);
            continue;
        }
        pthread_mutex_unlock(&jobs->lock);
        entry->job.work(entry->job.argument);
        pthread_mutex_lock(&jobs->lock);
        queue_put(&jobs->done, entry);
        if (!jobs->closing) jobs->setup.wake(jobs->setup.context);
    }
    pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

Status jobs_new(const JobsSetup *setup, Jobs **out, Error *err) {
    Jobs *jobs;
    *out = NULL;
    Status status = mem_new(1, sizeof *jobs, &jobs, err);
    if (status) return status;
    jobs->setup = *setup;
    queue_init(&jobs->waiting);
    queue_init(&jobs->done);
    pthread_mutex_init(&jobs->lock, NULL);
    pthread_cond_init(&jobs->changed, NULL);
    status = thread_start(&jobs->thread, run, jobs, err);
    jobs->started = !status;
    if (status)
        jobs_free(jobs);
    else
        *out = jobs;
    return status;
}

/* Ends all jobs of a queue. */
static void end_all(Jobs *jobs, Queue *queue, bool done) {
    for (;;) {
        pthread_mutex_lock(&jobs->lock);
        Entry *entry = queue_take(queue);
        pthread_mutex_unlock(&jobs->lock);
        if (!entry) return;
        entry->job.end(entry->job.argument, done);
        free(entry);
    }
}

void jobs_free(Jobs *jobs) {
    if (!jobs) return;
    pthread_mutex_lock(&jobs->lock);
    jobs->closing = true;
    pthread_cond_signal(&jobs->changed);
    pthread_mutex_unlock(&jobs->lock);
    if (jobs->started) pthread_join(jobs->thread, NULL);
    end_all(jobs, &jobs->done, true);
    end_all(jobs, &jobs->waiting, false);
    pthread_cond_destroy(&jobs->changed);
    pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

Status jobs_put(Jobs *jobs, const Job *job, Error *err) {
    Entry *entry;
    Status status = mem_new(1, sizeof *entry, &entry, err);
    if (status) return status;
    entry->job = *job;
    pthread_mutex_lock(&jobs->lock);
    queue_put(&jobs->waiting, entry);
    pthread_cond_signal(&jobs->changed);
    pthread_mutex_unlock(&jobs->lock);
    return OK;
}

void jobs_tend(Jobs *jobs) {
    end_all(jobs, &jobs->done, true);
}
