/* disk_retry.h - lets work go on when a disk is full or away for a while: it waits while the disk
 * is nearly full, and repeats what failed. Threading: confined. */
#pragma once
#include "run/store/run_clock.h"
#include "run/store/run_plan.h"
#include "run/store/run_store.h"

/* The attempts at one piece of work. */
typedef struct {
    const RunPlan *plan;
    const RunStore *store;
    const RunClock *clock; /* when work must stop, nothing is repeated */
    int count;             /* failures in a row */
    int max;               /* this many failures end the attempts; 0: the usual number */
} DiskRetry;

/* The bytes that must stay free on the disk of a run. */
int64_t disk_retry_reserve(const RunPlan *plan);
/* Waits while the disk is nearly full, and says so. ERR_STOPPED. */
MUST_USE Status disk_retry_wait_for_room(const DiskRetry *retry, Error *err);
/* Call this after a failure, whose message is in `fault`. It may be temporary, such as a full disk
 * or a folder of another machine that was away. OK, after a pause that grows with each failure: the
 * caller may try again. Otherwise the work has failed: with ERR_STOPPED if a stop was requested,
 * else with `status`, because it is not ERR_IO, there were too many failures, or work must stop.
 * `err` must not be `fault`. */
MUST_USE Status disk_retry_again(DiskRetry *retry, Status status, const Error *fault, Error *err);
