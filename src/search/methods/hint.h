/* hint.h - a move of the root that must be searched well (KataGo's hint positions; set by
 * search_set_hint()). Threading: as in search.h. */
#pragma once
#include "search/tree/search_method.h"

typedef struct {
    Point move; /* POINT_NONE: none */
} HintState;

extern const SearchMethod METHOD_HINT;
