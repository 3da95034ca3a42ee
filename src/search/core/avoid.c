/* This file keeps the moves of a SearchAvoid out of the policies near the root. */
#include <string.h>

#include "search/core/search.h"
#include "search/core/search_private.h"

static bool is_empty(const SearchAvoid *avoid) {
    for (int i = 0; i < MOVES_MAX; i++) {
        if (avoid->until[COLOR_BLACK][i] || avoid->until[COLOR_WHITE][i]) return false;
    }
    return true;
}

void search_set_avoid(Search *search, const SearchAvoid *avoid) {
    bool avoids = avoid && !is_empty(avoid);
    bool same =
        avoids == search->avoids && (!avoids || memcmp(avoid, &search->avoid, sizeof *avoid) == 0);
    if (same) return;
    search->avoids = avoids;
    if (avoids) search->avoid = *avoid;
    search_reset(search);
}

void search_avoid_moves(const Search *search, Color mover, int depth, float *policy) {
    const uint16_t *until = search->avoid.until[mover];
    bool any_left = false;
    for (int i = 0; i < search->tree.move_count && !any_left; i++)
        any_left = policy[i] >= 0 && until[i] <= depth;
    for (int i = 0; i < search->tree.move_count && any_left; i++) {
        if (until[i] > depth) policy[i] = -1;
    }
}
