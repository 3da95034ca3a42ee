/* choose.h - which move to play after a search. Threading: free functions. */
#pragma once
#include "base/rng.h"
#include "search/tree/report.h"
#include "search/tree/search_settings.h"

/* Temperature at this turn: t + (early - t) * 0.5^(turn / halflife * 19 / sqrt(area)). */
double choose_temperature(const SearchSettings *settings, int turn, int area);
/* A Gumbel search's own choice; else in proportion to weight^(1/T), or to shares^(1/T) where the
 * report has them; T <= 1e-4: the best. Shares above report->temperature_below are not tempered.
 * `plain` leaves out LCB, as self-play does. Where nothing is known, the pass. */
Point choose_move(const Report *report, double temperature, bool plain, Rng *rng);
