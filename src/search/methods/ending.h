/* ending.h - the last moves of a game: moves of the root that settle nothing lose a little, and
 * neutral points are filled before the pass (KataGo, cpp/search/searchhelpers.cpp). Threading:
 * as in search.h. */
#pragma once
#include "search/tree/search_method.h"

/* The state in a search. */
typedef struct {
    bool known; /* whether `points` are set */
    /* To add to the score after each move of the root, White's, by move_index(). */
    float points[MOVES_MAX];
} EndingState;

extern const SearchMethod METHOD_ENDING;

/* The index of the root's edge for a pass that must not be chosen yet; -1: there is none. */
int search_suppressed_pass(const Search *search);
