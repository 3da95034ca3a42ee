/* avoid_repeats.h - the method by which a move that repeats a local shape gains or loses utility.
 * The node that the move leads to gets the bonus that the table of repeats.h has for the shape.
 * Threading: as in search.h. */
#pragma once
#include "search/tree/method_set.h"
#include "search/tree/repeats.h"

/* The state in a search. */
typedef struct {
    RepeatTable table;         /* the shapes that count in the search under way */
    const RepeatTable *shapes; /* of other games, borrowed; may be NULL */
} RepeatsState;

extern const SearchMethod METHOD_REPEATS;
