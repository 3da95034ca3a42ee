/* run_lock.h - who works on which part of a run: locks on its files and folders, which the system
 * takes back when a process ends, however it ends. Threading: any thread. */
#pragma once
#include "base/error.h"
#include <stdbool.h>

/* Whether the open `file` is locked for whoever opened it here. False: someone else holds it, or
 * its name is no longer there. A file system that knows no locks grants all. */
bool run_lock_take(int file);
/* Locks a folder. `*file` is for run_lock_release(). ERR_IO: it cannot be opened, or another
 * process holds it: "DIRECTORY: another process WORK". */
MUST_USE Status run_lock_folder(const char *folder, const char *run, const char *work, int *file,
                                Error *err);
void run_lock_release(int *file); /* -1 is fine, and is left */
