#include "base/disk_guard.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/thread.h"

enum { POLL_MS = 500 };

static void warn_paused(const DiskGuard *guard, int64_t free_bytes) {
    char setting[64] = "";
    if (guard->setting) snprintf(setting, sizeof setting, " (%.50s)", guard->setting);
    log_warning("only %lld MB are free at %s; work pauses until there are %lld MB%s",
                (long long)(free_bytes >> 20), guard->path, (long long)(guard->reserve_bytes >> 20),
                setting);
}

Status disk_guard_wait(const DiskGuard *guard, Error *err) {
    bool warned = false;
    for (;;) {
        int64_t free_bytes = disk_free_bytes(guard->path);
        if (free_bytes < 0 || free_bytes >= guard->reserve_bytes) break;
        if (!warned) warn_paused(guard, free_bytes);
        warned = true;
        if (guard->must_stop ? guard->must_stop(guard->context) : stop_requested())
            return fail(err, ERR_STOPPED, "stopped while waiting for free space on the disk");
        clock_sleep_ms(POLL_MS);
    }
    if (warned) log_warning("there is enough free space at %s again; work goes on", guard->path);
    return OK;
}
