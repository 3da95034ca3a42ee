/* gtp_doubling.h - a playout doubling advantage that adapts to a handicap game, so that the player
 * who began behind neither gives up nor relaxes (KataGo, cpp/command/gtp.cpp). A command calls
 * gtp_doublings() before it searches for a move, and gtp_remember_move() after it played the move.
 * Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* The maximum of the advantage of the player who began `lead` points behind:
 *     min(2.75, per_lead * (lead - start) * scale), rounded to a multiple of 0.125
 *     scale = (361 / area)^(3/4)   start = max(2, 4 / scale)
 * It is 0 below `start`, and on boards with a side below 8. */
double doubling_cap(double per_lead, double lead, int width, int height);
/* The advantage after a move: 0.125 more if the win - loss of the player who began behind is below
 * -0.9, 0.125 less if it is above -0.5; within 0 .. cap. */
double doubling_step(double doublings, double cap, double win_loss);

/* Writes the advantage of `color` in this game, by the setting search.doublings_per_lead, to `*out`
 * and returns `out`. NULL: the setting is off, and playout_doubling_advantage holds. `plays`: the
 * engine will play a move, and the advantage of the next move begins with this one. */
const float *gtp_doublings(Gtp *gtp, Color color, bool plays, float *out);
/* Remembers the engine's move and the win - loss that its search found. Called after the move was
 * played. */
void gtp_remember_move(Gtp *gtp, Move move, const Report *report);
