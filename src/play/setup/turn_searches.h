/* turn_searches.h - the searches of self-play's turns: cheap ones made from full ones, and how both
 * grow with the run. Threading: free functions. */
#pragma once
#include "play/setup/selfplay_settings.h"

typedef struct {
    int full_visits, cheap_visits;
    SearchSettings full, cheap;
} TurnSearches;

/* Of a run that has so many rows, grown-up where that is -1. Cheap searches have no noise, no
 * forced playouts, root temperature 1, the tree's FPU at the root and one symmetry (Wu 2019,
 * section 3.1); with Gumbel moves and noise of their own (p3achygo, selfplay). `full`: search
 * settings of a full search of a grown-up run. */
TurnSearches turn_searches(const SelfplaySettings *settings, const SearchSettings *full,
                           int64_t rows);
