/* net_progress.h - what `aji net` shows of long work on stderr, and how Ctrl-C ends it. Threading:
 * confined. */
#pragma once
#include "base/progress.h"

typedef struct {
    Progress progress;
    ProgressWatch watch; /* to be given to the work */
    const char *what;
    int before, last, total; /* done by earlier parts of the work; told last; 0: as it is told */
    double start_seconds;
} NetProgress;

/* In place: the watch points at `out`. `what`: as in "positions compared"; `total`: of all parts
 * that follow, each of which is told from 0; 0: of the one part. Nothing is shown of work that ends
 * within a moment. */
void net_progress_begin(NetProgress *out, const char *what, int total);
void net_progress_end(NetProgress *progress); /* takes the line away, before those that stay */
