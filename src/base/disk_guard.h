/* disk_guard.h - pauses work before the disk is full, and logs that it does. Call disk_guard_wait()
 * before each piece of work that writes. Threading: any thread. */
#pragma once
#include "base/error.h"
#include <stdint.h>

typedef struct {
    const char *path;      /* a file or directory on the disk */
    int64_t reserve_bytes; /* pause while fewer bytes than this are free */
    const char *setting;   /* name of the setting that gives the reserve, for the log; NULL: none */
    bool (*must_stop)(const void *context); /* true ends the pause; NULL: stop_requested() does */
    const void *context;
} DiskGuard;
/* Returns at once if enough is free, else as soon as it is. ERR_STOPPED: the pause was ended. */
MUST_USE Status disk_guard_wait(const DiskGuard *guard, Error *err);
