/* disk_guard.h - pauses work before the disk is full, and says so in the log. Call
 * disk_guard_wait() before each piece of work that writes. Threading: any thread. */
#pragma once
#include "base/error.h"
#include <stdint.h>

typedef struct {
    const char *path;      /* a file or directory on the disk */
    int64_t reserve_bytes; /* pause while fewer bytes than this are free */
    const char *setting;   /* name of the setting that gives the reserve, for the log, or NULL */
    /* If it returns true, the pause ends. NULL means that stop_requested() decides. */
    bool (*must_stop)(const void *context);
    const void *context; /* the argument of must_stop() */
} DiskGuard;
/* Returns as soon as enough bytes are free, or immediately if their number is unknown. ERR_STOPPED:
 * the pause was ended before enough bytes were free. */
MUST_USE Status disk_guard_wait(const DiskGuard *guard, Error *err);
