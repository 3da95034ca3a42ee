/* gtp_doubling.h - the playout doubling advantage that follows a handicap game, so that the player
 * who began behind neither gives up nor relaxes (KataGo, cpp/command/gtp.cpp). A command asks
 * gtp_doublings() before it searches for a move, and calls gtp_follow() after the move was played.
 * Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* The maximum of the advantage of the player who began `lead` points behind:
 *     min(2.75, per_lead (lead - start) scale) in steps of 0.125
 *     scale = (361 / area)^(3/4)   start = max(2, 4 / scale)
 * It is 0 where an edge is below 8. */
double doubling_cap(double per_lead, double lead, int width, int height);
/* The advantage after a move: a step up where the win - loss of the player who began behind is
 * below -0.9, a step down where it is above -0.5; within 0 .. cap. */
double doubling_step(double doublings, double cap, double win_loss);

/* Writes the advantage of `color` in this game by search.doublings_per_lead to `*out` and returns
 * `out`. NULL: the setting is off, and the advantage is as the settings say. `plays`: a move will
 * be made, and the advantage is remembered for the next one. */
const float *gtp_doublings(Gtp *gtp, Color color, bool plays, float *out);
/* Remembers our move and what the search thought of it. Called after the move was played. */
void gtp_follow(Gtp *gtp, Move move, const Report *report);
