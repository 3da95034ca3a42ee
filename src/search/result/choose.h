/* choose.h - which move to play after a search. Threading: free functions. */
#pragma once
#include "base/rng.h"
#include "search/tree/report.h"
#include "search/tree/search_settings.h"

/* The temperature at this turn:
 *     t + (early - t) * 0.5^(turn / halflife * 19 / sqrt(area))
 * t, early and halflife are search.temperature, .temperature_early and .temperature_halflife. */
double choose_temperature(const SearchSettings *settings, int turn, int area);
/* Chooses a move at the temperature T. If report->by_probabilities, the move is drawn in proportion
 * to probability^(1/T). In a Gumbel search it is report->choice, unless
 * report->choice_by_temperature is set and T > 1e-4. Otherwise it is drawn in proportion to
 * weight^(1/T). If T <= 1e-4, the move with the largest probability or weight is taken instead of
 * drawing one. The temperature does not change probabilities or weights above the fraction
 * report->temperature_below of their sum. If `plain`, LCB does not count, as in self-play. If all
 * weights are 0, the result is the first move of the report, or the pass if the report has no move.
 * If all probabilities are 0, it is the pass. */
Point choose_move(const Report *report, double temperature, bool plain, Rng *rng);
/* Chooses the move of a player in a game, whose turn is `turn`: by level_choose() if the settings
 * ask for weaker play, and otherwise by choose_move() at the temperature of the turn, with LCB. */
Point choose_for_game(const SearchSettings *settings, const Report *report, int turn, Rng *rng);
