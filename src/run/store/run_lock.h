/* run_lock.h - locks on files of a run, by which a process claims a kind of work. The system
 * releases them when the process ends, in whatever way. They also work on file systems that several
 * machines share, because the files are open for writing. Threading: any thread. */
#pragma once
#include "base/error.h"
#include <stdbool.h>

/* Locks the open `file` without waiting. False: another process has locked it, or it was removed.
 * On a file system without locks this always succeeds. */
bool run_lock_try(int file);
/* Locks DIRECTORY/NAME, which is created if it is missing; its text says who holds the lock.
 * run_lock_release() takes `*file`. ERR_IO: the file cannot be opened, or another process still
 * holds it after a second: "DIRECTORY: another process WORK (process N on HOST)". */
MUST_USE Status run_lock_acquire(const char *directory, const char *name, const char *work,
                                 int *file, Error *err);
typedef struct {
    char text[32];
} HostName;
HostName run_lock_host(void);     /* the name of this machine: only letters, digits and '-' */
void run_lock_release(int *file); /* sets `*file` to -1; -1 is fine */
