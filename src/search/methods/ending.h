/* ending.h - the last moves of a game: moves of the root that settle nothing are worth a little
 * less, and neutral points are filled before the pass (KataGo, cpp/search/searchhelpers.cpp).
 * Threading: as in search.h. */
#pragma once
#include "search/tree/search_method.h"

/* Of a search. */
typedef struct {
    bool known;              /* whether the points are */
    float points[MOVES_MAX]; /* White's, for moves of the root, by move_index() */
} EndingState;

extern const SearchMethod METHOD_ENDING;

/* The root's pass, which is not to be chosen yet: its edge; -1: there is no such. */
int search_suppressed_pass(const Search *search);
