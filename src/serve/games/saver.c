#include "serve/games/saver.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/thread.h"

typedef enum { JOB_WAITS, JOB_RUNS, JOB_DONE } JobPhase;

/* A text for a file, and the result once it is written. */
typedef struct Job {
    struct Job *next;
    JobPhase phase;
    Saved saved;
    size_t length;
    char text[];
} Job;

struct Saver {
    SaverSetup setup;
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    Job *jobs;    /* the oldest first; guarded by lock */
    bool closing; /* guarded by lock */
};

static Status write_job(const Saver *saver, const Job *job, Error *err) {
    const char *folder = saver->setup.folder;
    Path path;
    Status status = path_join(&path, folder, job->saved.name, err);
    if (!status && !file_is_directory(folder)) status = directory_make(folder, err);
    return status ? status : file_write(path.text, job->text, job->length, err);
}

static Job *find_phase(Job *job, JobPhase phase) {
    while (job && job->phase != phase)
        job = job->next;
    return job;
}

static void *run(void *argument) {
    Saver *saver = argument;
    pthread_mutex_lock(&saver->lock);
    for (;;) {
        Job *job = find_phase(saver->jobs, JOB_WAITS);
        if (!job && saver->closing) break;
        if (!job) {
            pthread_cond_wait(&saver->changed, &saver->lock);
            continue;
        }
        job->phase = JOB_RUNS;
        pthread_mutex_unlock(&saver->lock);
        job->saved.status = write_job(saver, job, &job->saved.err);
        pthread_mutex_lock(&saver->lock);
        job->phase = JOB_DONE;
        if (!saver->closing) saver->setup.wake(saver->setup.context);
    }
    pthread_mutex_unlock(&saver->lock);
    return NULL;
}

Status saver_new(const SaverSetup *setup, Saver **out, Error *err) {
    Saver *saver;
    *out = NULL;
    Status status = mem_new(1, sizeof *saver, &saver, err);
    if (status) return status;
    saver->setup = *setup;
    pthread_mutex_init(&saver->lock, NULL);
    pthread_cond_init(&saver->changed, NULL);
    status = thread_start(&saver->thread, run, saver, err);
    saver->started = !status;
    if (status)
        saver_free(saver);
    else
        *out = saver;
    return status;
}

void saver_free(Saver *saver) {
    if (!saver) return;
    pthread_mutex_lock(&saver->lock);
    saver->closing = true;
    pthread_cond_signal(&saver->changed);
    pthread_mutex_unlock(&saver->lock);
    if (saver->started) pthread_join(saver->thread, NULL);
    for (Job *job = saver->jobs, *next; job; job = next) {
        next = job->next;
        free(job);
    }
    pthread_cond_destroy(&saver->changed);
    pthread_mutex_destroy(&saver->lock);
    free(saver);
}

/* Adds the job at the end, and removes an older one for the same file that still waits. The caller
 * holds the lock. */
static void add_job(Saver *saver, Job *job) {
    Job **at = &saver->jobs;
    while (*at) {
        Job *other = *at;
        bool replaced =
            other->phase == JOB_WAITS && strcmp(other->saved.name, job->saved.name) == 0;
        if (replaced) {
            *at = other->next;
            free(other);
        } else {
            at = &other->next;
        }
    }
    *at = job;
}

Status saver_put(Saver *saver, const char *name, const char *text, size_t length, Error *err) {
    Job *job;
    Status status = mem_new(1, sizeof *job + length, &job, err);
    if (status) return status;
    job->length = length;
    memcpy(job->text, text, length);
    snprintf(job->saved.name, sizeof job->saved.name, "%s", name);
    pthread_mutex_lock(&saver->lock);
    add_job(saver, job);
    pthread_cond_signal(&saver->changed);
    pthread_mutex_unlock(&saver->lock);
    return OK;
}

bool saver_take(Saver *saver, Saved *out) {
    pthread_mutex_lock(&saver->lock);
    Job **at = &saver->jobs;
    while (*at && (*at)->phase != JOB_DONE)
        at = &(*at)->next;
    Job *job = *at;
    if (job) *at = job->next;
    pthread_mutex_unlock(&saver->lock);
    if (job) *out = job->saved;
    free(job);
    return job != NULL;
}

bool saver_is_busy(Saver *saver, const char *name) {
    pthread_mutex_lock(&saver->lock);
    const Job *job = saver->jobs;
    while (job && strcmp(job->saved.name, name) != 0)
        job = job->next;
    pthread_mutex_unlock(&saver->lock);
    return job != NULL;
}
