/* disk_guard.h - a guard on free space: work waits before the disk is full, and says so.
 * Threading: any thread. */
#pragma once
#include "base/error.h"
#include <stdint.h>

typedef struct {
    const char *path;                       /* on the disk */
    int64_t reserve_bytes;                  /* with less is waited */
    const char *setting;                    /* that says how much, for the message; NULL: none */
    bool (*must_stop)(const void *context); /* waiting ends; NULL: with a stop that is asked for */
    const void *context;
} DiskGuard;
/* ERR_STOPPED: while it waited. */
MUST_USE Status disk_guard_wait(const DiskGuard *guard, Error *err);
