/* choose.h - which move to play after a search. Threading: free functions. */
#pragma once
#include "base/rng.h"
#include "search/tree/report.h"
#include "search/tree/search_settings.h"

/* The temperature at this turn:
 *     t + (early - t) * 0.5^(turn / halflife * 19 / sqrt(area))
 * t, early and halflife are search.temperature, .temperature_early and .temperature_halflife. */
double choose_temperature(const SearchSettings *settings, int turn, int area);
/* Chooses a move at the temperature T. If report->by_probabilities is set, the move is drawn in
 * proportion to probability^(1/T). Otherwise, the move of a Gumbel search is report->choice, unless
 * report->choice_by_temperature is set and T > 1e-4. In all other cases the move is drawn in
 * proportion to weight^(1/T). If T <= 1e-4, nothing is drawn: the move with the largest probability
 * or weight is taken. The temperature does not change probabilities or weights above the fraction
 * report->temperature_below of their sum. If `plain` is true, LCB does not count, as in self-play.
 * If all weights are 0, the result is the first move of the report, or the pass if the report has
 * no move. If all probabilities are 0, the result is the pass. */
Point choose_move(const Report *report, double temperature, bool plain, Rng *rng);
/* Draws a move from the net's policy of the root, report->open_policy:
 *     r = 1 - u^(1/b),   b = 1 + sqrt(max(0, turn - first_turn)),
 * where u is uniform on (0, 1], so that r has the distribution Beta(1, b). The moves are sorted by
 * falling probability, and the probabilities are added in this order. The result is the first move
 * at which the sum exceeds r. So, until the turn `first_turn`, moves are drawn in proportion to
 * their probabilities; afterwards the most probable move becomes likelier with each turn. The
 * result is the pass if no move has a probability. Source: GoNN, play.py, with first_turn = 20. */
Point choose_by_beta(const Report *report, int turn, int first_turn, Rng *rng);
/* Chooses the move of a player in a game, where `turn` is the number of the turn. If the settings
 * ask for weaker play, level_choose() chooses, or the policy of the root if no move was searched.
 * If search.choice_law is policy_beta, choose_by_beta() chooses. Otherwise choose_move() does, at
 * the temperature of the turn and with LCB. */
Point choose_for_game(const SearchSettings *settings, const Report *report, int turn, Rng *rng);
