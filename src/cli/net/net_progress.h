/* net_progress.h - the progress of long work of `aji net`, shown on stderr. Ctrl-C ends the work.
 * Threading: confined. */
#pragma once
#include "base/progress.h"

typedef struct {
    Progress progress;
    ProgressWatch watch; /* pass it to the work, which reports through it */
    const char *what;    /* the things that are counted */
    int before;          /* done by the earlier parts of the work */
    int last;            /* done by the present part at its last report */
    int total;           /* of all parts; 0: as the work reports it */
    double start_seconds;
} NetProgress;

/* Initialises `out` in place: its watch points back at it. `what`: such as "positions compared".
 * `total`: of all parts of the work, each of which counts from 0; 0: there is one part, which
 * reports its own total. Short work shows nothing. */
void net_progress_begin(NetProgress *out, const char *what, int total);
void net_progress_end(NetProgress *progress); /* removes the line from the terminal */
