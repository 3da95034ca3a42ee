/* avoid_repeats.h - a method that changes the utility of moves that repeat a local shape. The node
 * after such a move gets the bonus that the table of repeats.h has for the shape. Threading: as in
 * search.h. */
#pragma once
#include "search/tree/method_set.h"
#include "search/tree/repeats.h"

/* The state in a search. */
typedef struct {
    RepeatTable table;         /* the shapes that count in the search under way */
    const RepeatTable *shapes; /* of other games, borrowed; may be NULL */
} RepeatsState;

extern const SearchMethod METHOD_REPEATS;
