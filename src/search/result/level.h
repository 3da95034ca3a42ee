/* level.h - weaker play without gross blunders. Moves are drawn at random. A move is drawn more
 * often if the net's policy gives it a larger probability, and less often if it loses more points.
 * Threading: free functions. */
#pragma once
#include "base/rng.h"
#include "search/tree/report.h"
#include "search/tree/search_settings.h"

/* Whether the settings ask for weaker play: search.level.loss_scale is not 0. */
bool level_is_set(const SearchSettings *settings);
/* Draws one of the moves with visits. The probability of a move m is proportional to
 *     P(m)^(1/T) * exp(-loss(m) / scale)
 * P is the net's policy, and T is search.level.temperature. With search.level.draw, the search has
 * drawn the moves from P^(1/T) already; then this factor is left out. loss(m) is the largest lead
 * after any of these moves, minus the lead after m, in points. The scale is
 * search.level.loss_scale, a value for 19x19, times the factor
 *     sqrt(area) / 19 * clamp(stdev / opening_stdev, 0.15, 1),
 * where stdev is the standard deviation of the score that the net expects in this position, and
 * opening_stdev is search.level.opening_stdev or, if that is 0, 1.3 * sqrt(area). So moves of the
 * endgame lose fewer points than moves of the opening. Moves that lose more than
 * search.level.loss_max, times the same factor, are not drawn. A pass is played if and only if it
 * is the best move of the search, so that games end. With search.level.draw, the search has not
 * seen all moves; so the pass must also lose less than half a point, compared with the net's lead
 * before the move, or have a probability of at least 0.3 in the net's policy. If the net predicts
 * no score, all losses are 0. If no move has visits, the result is the pass. */
Point level_choose(const SearchSettings *settings, const Report *report, Rng *rng);

/* The version of level_set(). It changes if a given strength no longer means the same play. */
enum { LEVEL_STRENGTH_VERSION = 2 };
/* Sets search.level.* and the search for a strength from 0 (the weakest) to 1, and returns the
 * visits of each move:
 *     visits 16 * 25^strength, loss_scale 1000 * 0.00015^strength,
 *     loss_max 1000 * 0.001^strength, temperature 100 * 0.003^strength
 * The search is a Gumbel search of at most 15 moves, which search.level.draw draws, and of the
 * pass. So each of these moves gets a value of its own. With strength 0, play is nearly random. */
int level_set(double strength, SearchSettings *settings);
