/* choose.h - which move to play after a search. Threading: free functions. */
#pragma once
#include "base/rng.h"
#include "search/tree/report.h"
#include "search/tree/search_settings.h"

/* The temperature at this turn:
 *     t + (early - t) * 0.5^(turn / halflife * 19 / sqrt(area)) */
double choose_temperature(const SearchSettings *settings, int turn, int area);
/* Chooses a move: that of a Gumbel search; otherwise one in proportion to weight^(1/T), or to
 * probability^(1/T) if the report has probabilities; T <= 1e-4: the best. Fractions above
 * report->temperature_below are not tempered. `plain` ignores LCB, as self-play does. The pass
 * if nothing is known. */
Point choose_move(const Report *report, double temperature, bool plain, Rng *rng);
