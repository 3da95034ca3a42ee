/* progress.h - what long work shows: a block of lines redrawn in place on a terminal, plain lines
 * now and then on a pipe. Threading: confined. */
#pragma once
#include "base/error.h"
#include <stdio.h>

typedef struct {
    FILE *stream;
    bool terminal;
    int lines_drawn;
    double next_seconds, interval_seconds;
} Progress;

Progress progress_start(FILE *stream, double interval_on_pipe_seconds);
/* `block`: lines for the terminal, each cut to its width (80 columns where that is not known);
 * `line`: what a pipe gets. Draws at most 5 times a second (terminal) or once an interval (pipe),
 * unless `now`. */
void progress_show(Progress *progress, const char *block, const char *line, bool now);
void progress_print(Progress *progress, const char *line); /* a line that stays, above the block */
void progress_end(Progress *progress);                     /* leaves the last block standing */

/* What long work tells after each part of it, from one thread; a status that is not OK, as
 * ERR_STOPPED, ends the work with it. */
typedef struct {
    Status (*tell)(void *context, int done, int total, Error *err);
    void *context;
} ProgressWatch;
MUST_USE Status progress_tell(const ProgressWatch *watch, int done, int total,
                              Error *err); /* NULL: nobody wants to know */

typedef struct {
    char text[64];
} BarText;
BarText progress_bar(double fraction, int width); /* "[#####.....]" */
