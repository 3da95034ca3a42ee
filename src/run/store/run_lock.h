/* run_lock.h - locks on files of a run. By a lock a process claims a kind of work, or a journal,
 * for itself. The system releases the locks of a process when the process ends, in whatever way.
 * The files are opened for writing, because some file systems that several machines share cannot
 * lock files that are open for reading only. Threading: any thread. */
#pragma once
#include "base/file.h"
#include <stdbool.h>

/* Locks the open file of `path` without waiting. `*locked` is false if another process has locked
 * the file, or if the file was removed. ERR_UNSUPPORTED: this file system has no locks. Without
 * locks, games could be lost. The message says what to do. */
MUST_USE Status run_lock_try(int file, const char *path, bool *locked, Error *err);

typedef struct {
    int file; /* -1 if this process does not hold the lock */
    Path path;
    char owner[96]; /* the text in the file: which process holds the lock, and a random number */
} RunLock;
/* Locks the file DIRECTORY/NAME. Creates the file if it is missing. The text of the file then says
 * which process holds the lock.
 *   ERR_IO: the file cannot be opened, or another process still holds the lock after a second. In
 *   the second case the message is "DIRECTORY: another process WORK (process N on HOST)", where
 *   `work` is a text such as "trains on this run".
 *   ERR_UNSUPPORTED: this file system has no locks. */
MUST_USE Status run_lock_acquire(const char *directory, const char *name, const char *work,
                                 RunLock *out, Error *err);
/* Checks that this process still holds the lock. If a file server was out of reach for long, it may
 * have given the lock to another process. Or somebody may have removed the file. ERR_IO: the lock
 * is lost. */
MUST_USE Status run_lock_check(RunLock *lock, Error *err);
void run_lock_release(RunLock *lock); /* does nothing if the lock is not held */
typedef struct {
    char text[32];
} HostName;
HostName run_lock_host(void); /* the name of this machine: only letters, digits and '-' */
