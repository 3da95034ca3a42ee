/* progress.h - the display of long work: a block of lines that is redrawn in place on a terminal,
 * plain lines from time to time on a pipe. Use: progress_start(), progress_show() as often as one
 * likes, progress_end(). Threading: confined. */
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
/* `block`: lines for the terminal, each cut to its width (80 columns if that is not known); `line`:
 * the text for a pipe. Draws at most 5 times a second on a terminal, once an interval on a pipe,
 * unless `now` is set. */
void progress_show(Progress *progress, const char *block, const char *line, bool now);
void progress_print(Progress *progress, const char *line); /* a line that stays, above the block */
void progress_end(Progress *progress);                     /* leaves the last block standing */

/* A callback that long work calls after each of its parts, always from the same thread. Any status
 * but OK, such as ERR_STOPPED, makes the work end with that status. */
typedef struct {
    Status (*report)(void *context, int done, int total, Error *err);
    void *context;
} ProgressWatch;
/* Calls the watch's function; does nothing if `watch` is NULL. */
MUST_USE Status progress_report(const ProgressWatch *watch, int done, int total, Error *err);

typedef struct {
    char text[64];
} BarText;
BarText progress_bar(double fraction, int width); /* "[#####.....]" */
