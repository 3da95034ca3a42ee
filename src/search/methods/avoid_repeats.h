/* avoid_repeats.h - a move that repeats a local shape costs utility: the node that it leads to
 * gets the bonus that repeats.h says. Threading: as in search.h. */
#pragma once
#include "search/tree/method_set.h"
#include "search/tree/repeats.h"

/* The state in a search. */
typedef struct {
    RepeatTable table;         /* the shapes that count in the search under way */
    const RepeatTable *shapes; /* of other games, borrowed; NULL: none */
} RepeatsState;

extern const SearchMethod METHOD_REPEATS;
