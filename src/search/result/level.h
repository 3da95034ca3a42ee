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
 * P is the net's policy, and T is search.level.temperature. loss(m) is the largest lead after any
 * of these moves, minus the lead after m, in points. The scale is search.level.loss_scale, a value
 * for 19x19, times the factor
 *     sqrt(area) / 19 * clamp(stdev / opening_stdev, 0.15, 1),
 * where stdev is the standard deviation of the score that the net expects in this position, and
 * opening_stdev is search.level.opening_stdev or, if that is 0, 1.3 * sqrt(area). So moves of the
 * endgame lose fewer points than moves of the opening. Moves that lose more than
 * search.level.loss_max, times the same factor, are not drawn. A pass is played if and only if it
 * is the best move of the search, so that games end. If the net predicts no score, all losses are
 * 0. */
Point level_choose(const SearchSettings *settings, const Report *report, Rng *rng);

/* The version of level_set(). It changes if a given strength no longer means the same play. */
enum { LEVEL_STRENGTH_VERSION = 1 };
/* Sets search.level.* and the search for a strength from 0 (the weakest) to 1, and returns the
 * visits of each move:
 *     visits 8 * 50^strength, loss_scale 10 * 0.015^strength, loss_max 40 * 0.025^strength,
 *     temperature 6 * 0.05^strength
 * The search is a Gumbel search of the 16 moves with the largest priors, without noise. So if there
 * are enough visits, each of these moves gets a value of its own. */
int level_set(double strength, SearchSettings *settings);
