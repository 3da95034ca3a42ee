#include "run/stages/disk_retry.h"

#include "base/clock.h"
#include "base/disk_guard.h"
#include "base/log.h"
#include "base/thread.h"

enum {
    MIN_RESERVE = 1 << 20, /* bytes that must be free even if run.disk_reserve_mb is smaller */
    USUAL_TRIES = 5,
    PAUSE_MIN_MS = 500, /* after the first failure; it doubles with each further failure, to at
                           most PAUSE_MAX_MS */
    PAUSE_MAX_MS = 4000,
};

static bool must_stop(const void *clock) {
    return run_clock_must_stop(clock);
}

int64_t disk_retry_reserve(const RunPlan *plan) {
    int64_t reserve = plan->config.run.disk_reserve_mb << 20;
    return reserve < MIN_RESERVE ? MIN_RESERVE : reserve;
}

Status disk_retry_wait_for_room(const DiskRetry *retry, Error *err) {
    Status status = disk_guard_wait(&(DiskGuard){.path = retry->store->directory.root.text,
                                                 .reserve_bytes = disk_retry_reserve(retry->plan),
                                                 .setting = "run.disk_reserve_mb",
                                                 .must_stop = must_stop,
                                                 .context = retry->clock},
                                    err);
    if (status) return status;
    return stop_requested() ? fail(err, ERR_STOPPED, "stopped") : OK;
}

Status disk_retry_again(DiskRetry *retry, Status status, const Error *fault, Error *err) {
    const RunClock *clock = retry->clock;
    int max = retry->max ? retry->max : USUAL_TRIES, pause_ms = PAUSE_MIN_MS;
    if (status == ERR_IO && stop_requested()) return fail(err, ERR_STOPPED, "stopped");
    if (status != ERR_IO || ++retry->count >= max || run_clock_must_stop(clock))
        return fail(err, status, "%s", fault->message);
    log_warning("%s; trying again", fault->message);
    for (int i = 1; i < retry->count && pause_ms < PAUSE_MAX_MS; i++)
        pause_ms *= 2;
    for (int slept = 0; slept < pause_ms && !run_clock_must_stop(clock); slept += 100)
        clock_sleep_ms(100);
    return disk_retry_wait_for_room(retry, err);
}
