/* run_watch.h - tells pages when the files of a run, or the list of runs, have changed. While
 * nobody watches, it does nothing. Threading: confined to one thread. */
#pragma once
#include "base/file.h"
#include "serve/engines.h"
#include "serve/runs.h"

/* Somebody who watches a run or the list of runs. The owner sets the first two members, and the
 * rest to 0. */
typedef struct RunWatcher {
    bool (*send)(void *context, const char *text, size_t length);
    void *context;
    struct RunWatcher *next;
    char id[NET_ID_MAX]; /* of the run; "": the list of runs is watched, or nothing */
    Path folder;
    /* When the watcher joined or was last told: runs_changed() of the run, or runs_state() of the
     * list, and the time in clock_seconds(). */
    double changed;
    uint64_t list_state;
    double told_at;
} RunWatcher;

typedef struct {
    RunWatcher *watchers;
    const RunRoots *runs; /* the list that is watched; borrowed; NULL: it has no runs */
    double looked_at;     /* in clock_seconds() */
} RunWatch;               /* {0} has no watchers */

/* From now on, the watcher is told of changes of this run, and of no other. */
void run_watch_join(RunWatch *watch, RunWatcher *watcher, const char *id, const char *folder);
/* From now on, the watcher is told of changes of the list of runs, and of no run. */
void run_watch_join_list(RunWatch *watch, RunWatcher *watcher);
/* Ends the watching. Does nothing if the watcher watches nothing. */
void run_watch_leave(RunWatch *watch, RunWatcher *watcher);
/* Looks at the files, at most once a second. If a run has changed, sends
 * {"topic":"run","run":ID} to its watchers, at most every two seconds. If the list of runs has
 * changed, sends {"topic":"runs"} to its watchers, at most as often. */
void run_watch_tend(RunWatch *watch);
