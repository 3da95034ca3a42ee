/* run_lock.h - locks on files of a run, by which a process claims a kind of work. The system
 * releases them when the process ends, in whatever way. They also work on file systems that several
 * machines share, because the files are open for writing. Threading: any thread. */
#pragma once
#include "base/file.h"
#include <stdbool.h>

/* Locks the open file of `path` without waiting. `*locked` is false if another process has locked
 * it, or if it was removed. ERR_UNSUPPORTED: this file system cannot lock; the message says what to
 * do. Work without locks would lose games. */
MUST_USE Status run_lock_try(int file, const char *path, bool *locked, Error *err);

typedef struct {
    int file; /* -1: this process does not hold the lock */
    Path path;
    char owner[96]; /* the text in the file: which process holds the lock, and a random number */
} RunLock;
/* Locks DIRECTORY/NAME, which is created if it is missing; its text says who holds the lock. ERR_IO:
 * the file cannot be opened, or another process still holds it after a second: "DIRECTORY: another
 * process WORK (process N on HOST)". ERR_UNSUPPORTED as above. */
MUST_USE Status run_lock_acquire(const char *directory, const char *name, const char *work,
                                 RunLock *out, Error *err);
/* Checks that this process still holds the lock. A server of files that was away for long may have
 * given it to another process, or somebody may have removed the file. ERR_IO: the lock is lost. */
MUST_USE Status run_lock_check(RunLock *lock, Error *err);
void run_lock_release(RunLock *lock); /* a lock that is not held is fine */
typedef struct {
    char text[32];
} HostName;
HostName run_lock_host(void); /* the name of this machine: only letters, digits and '-' */
