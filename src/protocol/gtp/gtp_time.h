/* gtp_time.h - the clock of a GTP engine. A command that searches for a move calls gtp_budget()
 * before the search, and gtp_moved() after the move was played. Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* Writes the time for the next move of `color` to `*out` and returns `out`. NULL: there is no
 * clock. */
const TimeBudget *gtp_budget(const Gtp *gtp, Color color, TimeBudget *out);
/* Takes the time of a move of `color` from its clock, and lets the engine ponder. The engine
 * thought about the move since `start` (of clock_seconds()), with this budget (NULL: no clock). */
void gtp_moved(Gtp *gtp, Color color, double start, const TimeBudget *budget);
