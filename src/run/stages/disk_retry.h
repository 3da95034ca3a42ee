/* disk_retry.h - work that cannot read or write for now: it waits while the disk is nearly full,
 * and tries again what failed. Threading: confined. */
#pragma once
#include "run/store/run_clock.h"
#include "run/store/run_plan.h"
#include "run/store/run_store.h"

/* Failures to read or write in a row, of one piece of work. */
typedef struct {
    const RunPlan *plan;
    const RunStore *store;
    const RunClock *clock; /* what must stop does not try again */
    int count, max;        /* this many failures end the tries; 0: as many as is usual */
} DiskRetry;

/* Waits while the disk is nearly full, and says so. ERR_STOPPED. */
MUST_USE Status disk_retry_wait_for_room(const DiskRetry *retry, Error *err);
/* After a failure that may pass, such as a disk that was full or a folder of another machine that
 * was away. OK, after a pause: it may be tried again. Otherwise the end of the work: ERR_STOPPED
 * where a stop was asked for, else the failure itself, where it was no ERR_IO, there were too many
 * or work must stop. The pauses grow. `fault` says what failed; `err` is another one. */
MUST_USE Status disk_retry_again(DiskRetry *retry, Status status, const Error *fault, Error *err);
