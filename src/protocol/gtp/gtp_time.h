/* gtp_time.h - the clock of a GTP engine. A command that searches for a move calls gtp_budget()
 * before the search, and gtp_moved() after the move was played.
 * Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* Writes the time for the next move of `color` to `*out` and returns `out`. Returns NULL if there
 * is no clock. */
const TimeBudget *gtp_budget(const Gtp *gtp, Color color, TimeBudget *out);
/* Subtracts the time of a move of `color` from its clock, and lets the engine ponder. The engine
 * has thought about the move since `start`, a value of clock_seconds(). `budget` is what
 * gtp_budget() returned for the move. */
void gtp_moved(Gtp *gtp, Color color, double start, const TimeBudget *budget);
