/* run_lock.h - who works on which part of a run: locks on its files, which the system takes back
 * when a process ends, however it ends; on a file system of many machines too, as the files are
 * open for writing. Threading: any thread. */
#pragma once
#include "base/error.h"
#include <stdbool.h>

/* Whether the open `file` is locked for whoever opened it here. False: someone else holds it, or
 * its name is no longer there. A file system that knows no locks grants all. */
bool run_lock_take(int file);
/* Locks DIRECTORY/NAME, a file that is made where it is missing and says who holds it. `*file` is
 * for run_lock_release(). ERR_IO: it cannot be opened, or another process holds it, also a second
 * later: "DIRECTORY: another process WORK (process N on HOST)". */
MUST_USE Status run_lock_work(const char *directory, const char *name, const char *work, int *file,
                              Error *err);
typedef struct {
    char text[32];
} HostName;
HostName run_lock_host(void);     /* this machine's, letters, digits and '-' alone */
void run_lock_release(int *file); /* -1 is fine, and is left */
