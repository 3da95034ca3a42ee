/* turn_searches.h - the searches of self-play's turns: full ones, cheap ones made from them, and
 * how both change during a run. Threading: free functions. */
#pragma once
#include "play/setup/selfplay_settings.h"

typedef struct {
    int full_visits, cheap_visits;
    SearchSettings full, cheap;
} TurnSearches;

/* Returns the searches of a run that has `rows` rows; if `rows` is -1, the ramps (selfplay.ramp)
 * have ended and the last steps (row_steps.h) have begun. The parameter `full` has the settings
 * of a full search after the ramps. Cheap searches have no Dirichlet noise, no forced playouts and
 * the root temperature 1. At the root they have the FPU of inner nodes, and no more symmetries than
 * elsewhere (Wu 2019, section 3.1). With Gumbel search they have their own number of considered
 * moves and their own scale of the Gumbel noise (p3achygo, selfplay). */
TurnSearches turn_searches(const SelfplaySettings *settings, const SearchSettings *full,
                           int64_t rows);
