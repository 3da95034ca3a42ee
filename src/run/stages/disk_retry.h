/* disk_retry.h - lets work continue after a disk was full or out of reach for a while: it waits
 * while the disk is nearly full, and decides whether a failed step is worth repeating. Threading:
 * confined. */
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
    int max;               /* the attempts end after this many failures; 0 means 5 */
} DiskRetry;

/* The number of bytes that must stay free on the disk of a run. */
int64_t disk_retry_reserve(const RunPlan *plan);
/* Waits while the disk is nearly full, and says so in the log. ERR_STOPPED: a stop was requested,
 * or work had to stop while the disk was still nearly full. */
MUST_USE Status disk_retry_wait_for_room(const DiskRetry *retry, Error *err);
/* Call this after a failure with `status` and the message `fault`. An ERR_IO may have a temporary
 * cause, such as a full disk or a folder of another machine that is out of reach. So after ERR_IO
 * this function waits, longer after each further failure, and returns OK; the caller then tries
 * again. It fails with `status` if this is not ERR_IO, after too many failures, or if work must
 * stop. If a stop was requested, or work must stop while the disk is still nearly full, ERR_STOPPED
 * takes the place of ERR_IO. `err` must not be `fault`. */
MUST_USE Status disk_retry_again(DiskRetry *retry, Status status, const Error *fault, Error *err);
