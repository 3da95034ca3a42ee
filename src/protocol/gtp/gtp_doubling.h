/* gtp_doubling.h - a playout doubling advantage that adapts to a handicap game, so that the player
 * who began behind does not give up and does not relax (KataGo, cpp/command/gtp.cpp). The advantage
 * tells the net how many times the player's number of playouts is doubled, compared with the
 * opponent's. A command calls gtp_doublings() before it searches for a move, and
 * gtp_remember_move() after it played the move.
 * Threading: confined. */
#pragma once
#include "protocol/gtp/gtp_engine.h"

/* The maximum of the advantage of the player who began `lead` points behind, on a board of `area`
 * points:
 *     min(2.75, per_lead * (lead - start) * scale), rounded to a multiple of 0.125
 *     scale = (361 / area)^(3/4)   start = max(2, 4 / scale)
 * It is 0 for leads below `start`, and on boards with a side below 8. */
double doubling_cap(double per_lead, double lead, int width, int height);
/* Returns the advantage for the next move, if the advantage for the last move was `doublings`.
 * `win_loss` is win - loss of the player who began behind. The advantage rises by 0.125 if win_loss
 * is below -0.9, and falls by 0.125 if win_loss is above -0.5. It stays within 0 .. cap. */
double doubling_step(double doublings, double cap, double win_loss);

/* Writes the advantage of `color` in this game, by the setting search.doublings_per_lead, to `*out`
 * and returns `out`. Returns NULL if that setting is 0, so that search.playout_doubling_advantage
 * holds. If `plays`, the engine will play the move that is searched now. Then this function
 * remembers the advantage: at the engine's next move after that, doubling_step() starts from it. */
const float *gtp_doublings(Gtp *gtp, Color color, bool plays, float *out);
/* Remembers the engine's move and the win - loss that its search found. Called after the move was
 * played. */
void gtp_remember_move(Gtp *gtp, Move move, const Report *report);
