/* disk_retry.h - lets work continue although a disk is full or out of reach for a while. It waits
 * while the disk is nearly full, and decides whether a failed step is worth repeating.
 * Threading: confined. */
#pragma once
#include "run/store/run_clock.h"
#include "run/store/run_plan.h"
#include "run/store/run_store.h"

/* The attempts at one piece of work. */
typedef struct {
    const RunPlan *plan;
    const RunStore *store;
    const RunClock *clock; /* if it says that work must stop, nothing is repeated */
    int count;             /* failures in a row */
    int max;               /* the attempts end after this many failures; 0 means 5 */
} DiskRetry;

/* Returns the number of bytes that must stay free on the disk of a run. */
int64_t disk_retry_reserve(const RunPlan *plan);
/* Waits while the disk is nearly full, and says so in the log. ERR_STOPPED: a stop was requested,
 * or work had to stop while the disk was still nearly full. */
MUST_USE Status disk_retry_wait_for_room(const DiskRetry *retry, Error *err);
/* Call this after a failure with `status` and the message `fault`. An ERR_IO may have a temporary
 * cause, such as a full disk or a folder of another machine that is out of reach. So after ERR_IO
 * this function waits and returns OK, and the caller tries again. With each further failure it
 * waits longer. It fails with `status` if `status` is not ERR_IO, if there were too many failures,
 * or if work must stop. It fails with ERR_STOPPED instead of ERR_IO if a stop was requested, or if
 * work must stop while the disk is still nearly full. `err` must not be `fault`. */
MUST_USE Status disk_retry_again(DiskRetry *retry, Status status, const Error *fault, Error *err);
