/* turn_searches.h - the searches of self-play's turns: full ones, cheap ones made from them, and
 * how both grow during a run. Threading: free functions. */
#pragma once
#include "play/setup/selfplay_settings.h"

typedef struct {
    int full_visits, cheap_visits;
    SearchSettings full, cheap;
} TurnSearches;

/* The searches of a run that has `rows` rows; -1: its ramps have ended. Cheap searches have no
 * noise, no forced playouts, root temperature 1, the FPU of inner nodes at the root and one
 * symmetry (Wu 2019, section 3.1); with Gumbel they have their own number of moves and noise
 * (p3achygo, selfplay). `full`: settings of a full search once the ramps have ended. */
TurnSearches turn_searches(const SelfplaySettings *settings, const SearchSettings *full,
                           int64_t rows);
