/* gtp_time.h - the clock of a GTP engine. A command that searches for a move asks gtp_budget() for
 * its time before the search, and calls gtp_moved() after the move was played.
 * Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* Writes the time for the next move of `color` to `*out` and returns `out`. NULL: there is no
 * clock. */
const TimeBudget *gtp_budget(const Gtp *gtp, Color color, TimeBudget *out);
/* Takes the time of a move of `color` from its clock, and allows pondering. The engine thought
 * about the move from the time `start` (of clock_seconds()) on, with this budget (NULL: none). */
void gtp_moved(Gtp *gtp, Color color, double start, const TimeBudget *budget);
