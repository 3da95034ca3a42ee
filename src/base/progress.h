/* progress.h - a display for long work. On a terminal it redraws a block of lines in place; on a
 * pipe, or if TERM is "dumb", it prints a plain line from time to time. Call progress_start(), then
 * progress_show() as often as you like, and progress_end(). Threading: confined. */
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
/* Shows `block` on a terminal, or `line` on a pipe. Each line of `block` ends with '\n' and is cut
 * so that it does not wrap; a terminal of unknown width counts as 80 columns. An empty `line`
 * prints nothing. A terminal is redrawn at most 5 times a second, and a pipe gets at most one line
 * in each interval. With `now` there is no such limit. */
void progress_show(Progress *progress, const char *block, const char *line, bool now);
/* Prints a line that stays. On a terminal the next block is drawn below it. */
void progress_print(Progress *progress, const char *line);
void progress_end(Progress *progress); /* leaves the last block on the screen */

/* A callback that long work calls after each of its parts, always from the same thread. If it
 * returns anything but OK, for example ERR_STOPPED, the work ends with that status. */
typedef struct {
    Status (*report)(void *context, int done, int total, Error *err);
    void *context;
} ProgressWatch;
/* Calls watch->report(). Does nothing if `watch` is NULL. */
MUST_USE Status progress_report(const ProgressWatch *watch, int done, int total, Error *err);

/* Returns the part of the work that is done, 0 to 1. It is 0 if `total` is not above 0. */
double progress_fraction(double done, double total);
/* Returns how many seconds the rest of the work takes if it goes on as before, after `done` of
 * `total` took `seconds`. Returns HUGE_VAL if this cannot be foretold, because nothing is done yet
 * or there is no total. */
double progress_seconds_left(double done, double total, double seconds);

/* `width` is the number of characters between the brackets; more than 60 count as 60. */
typedef struct {
    char text[64];
} BarText;
BarText progress_bar(double fraction, int width); /* "[#####.....]" for 0.5 and 10 */
