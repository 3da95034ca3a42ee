/* choose.h - which move to play after a search. Threading: free functions. */
#pragma once
#include "base/rng.h"
#include "search/report.h"
#include "search/search_settings.h"

/* Temperature at this turn: t + (early - t) * 0.5^(turn / halflife * 19 / sqrt(area)). */
double choose_temperature(const SearchSettings *settings, int turn, int area);
/* A Gumbel search's own choice; else in proportion to weight^(1/T); T <= 1e-4: the best. `plain`
 * leaves out LCB, as self-play does. A report without visited moves gives the pass. */
Point choose_move(const Report *report, double temperature, bool plain, Rng *rng);
