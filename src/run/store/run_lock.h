/* run_lock.h - which process does which work for a run: locks on its files. The system takes them
 * back when a process ends, however it ends. They also hold on a file system that several machines
 * share, since the files are open for writing. Threading: any thread. */
#pragma once
#include "base/error.h"
#include <stdbool.h>

/* Locks the open `file`. False: another process holds it, or its name is no longer there. A file
 * system that knows no locks grants all. */
bool run_lock_take(int file);
/* Locks DIRECTORY/NAME, a file that is made where it is missing and says who holds it. `*file` is
 * for run_lock_release(). ERR_IO: it cannot be opened, or another process holds it, also a second
 * later: "DIRECTORY: another process WORK (process N on HOST)". */
MUST_USE Status run_lock_work(const char *directory, const char *name, const char *work, int *file,
                              Error *err);
typedef struct {
    char text[32];
} HostName;
HostName run_lock_host(void);     /* the name of this machine: letters, digits and '-' alone */
void run_lock_release(int *file); /* -1 is fine, and is left */
