/* net_progress.h - shows the progress of long work of `aji net` on stderr. Ctrl-C ends the work.
 * Threading: confined. */
#pragma once
#include "base/progress.h"

typedef struct {
    Progress progress;
    ProgressWatch watch; /* pass it to the work, which reports through it */
    const char *what;    /* the things that are counted */
    int before;          /* done by the earlier parts of the work */
    int last;            /* done by the present part at its last report */
    int total;           /* of all parts; 0 means as the work reports it */
    double start_seconds;
} NetProgress;

/* Initialises `out` in place, because its watch points back at it. `what` names the things that are
 * counted, such as "positions compared". `total` is their number in all parts of the work; each
 * part counts from 0. If `total` is 0, each part reports its own total. Work that is
 * done soon shows nothing. */
void net_progress_begin(NetProgress *out, const char *what, int total);
void net_progress_end(NetProgress *progress); /* removes the line from the terminal */
