/* avoid_repeats.h - moves that make a shape again cost utility, as nodes that they lead to get what
 * repeats.h says. Threading: as in search.h. */
#pragma once
#include "search/tree/method_set.h"
#include "search/tree/repeats.h"

/* Of a search. */
typedef struct {
    RepeatTable table;         /* of the search under way */
    const RepeatTable *shapes; /* of other games, borrowed; NULL: none */
} RepeatsState;

extern const SearchMethod METHOD_REPEATS;
