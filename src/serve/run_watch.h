/* run_watch.h - tells pages when the files of a run have changed. While nobody watches, it does
 * nothing. Threading: confined to one thread. */
#pragma once
#include "base/file.h"
#include "serve/engines.h"

/* Somebody who watches a run. The owner sets the first two members, and the rest to 0. */
typedef struct RunWatcher {
    bool (*send)(void *context, const char *text, size_t length);
    void *context;
    struct RunWatcher *next;
    char id[NET_ID_MAX]; /* of the run; "": none is watched */
    Path folder;
    double changed; /* runs_changed() of the run when the watcher joined or was last told */
    double told_at; /* in clock_seconds() */
} RunWatcher;

typedef struct {
    RunWatcher *watchers;
    double looked_at; /* in clock_seconds() */
} RunWatch;           /* {0} has no watchers */

/* From now on, the watcher is told of changes of this run, and of no other. */
void run_watch_join(RunWatch *watch, RunWatcher *watcher, const char *id, const char *folder);
/* Ends the watching. Does nothing if the watcher watches no run. */
void run_watch_leave(RunWatch *watch, RunWatcher *watcher);
/* Looks at the files, at most once a second, and sends {"topic":"run","run":ID} to the watchers of
 * runs that have changed, at most every two seconds. */
void run_watch_tend(RunWatch *watch);
