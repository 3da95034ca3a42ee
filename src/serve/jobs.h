/* jobs.h - a thread that does slow work, such as reading a net or the files of a run, so that the
 * thread of the listener never waits for the disk. The work is done in the order in which it came.
 * Threading: confined to one thread; the thread of the jobs calls only work() and setup.wake(). */
#pragma once
#include "base/error.h"

typedef struct {
    void (*wake)(void *context); /* the thread of the jobs calls it when jobs_tend() has work */
    void *context;
} JobsSetup;

typedef struct {
    void (*work)(void *argument); /* called on the thread of the jobs */
    /* Called afterwards, on the thread that calls jobs_tend(). It must free what the argument
     * holds. `done` says whether work() was called; jobs_free() leaves out work that waits. */
    void (*end)(void *argument, bool done);
    void *argument;
} Job;

typedef struct Jobs Jobs;
/* Starts the thread. Copies the setup. ERR_MEMORY. */
MUST_USE Status jobs_new(const JobsSetup *setup, Jobs **out, Error *err);
/* Waits for the present work, and ends all jobs. NULL is fine. */
void jobs_free(Jobs *jobs);
/* Adds a job. ERR_MEMORY: neither work() nor end() is called. */
MUST_USE Status jobs_put(Jobs *jobs, const Job *job, Error *err);
/* Ends the jobs whose work is done. Must be called after setup.wake(). */
void jobs_tend(Jobs *jobs);
