/* ending.h - two rules for the last moves of a game. Moves of the root that settle nothing lose a
 * little utility. Before the pass, neutral points are filled (KataGo,
 * cpp/search/searchhelpers.cpp). Threading: as in search.h. */
#pragma once
#include "search/tree/search_method.h"

/* The state in a search. */
typedef struct {
    bool known; /* whether `points` are set */
    /* White's points to add to the score after each move of the root, by move_index(). */
    float points[MOVES_MAX];
} EndingState;

extern const SearchMethod METHOD_ENDING;

/* If the pass must not be chosen yet, returns the index of its edge at the root; otherwise -1. */
int search_suppressed_pass(const Search *search);
