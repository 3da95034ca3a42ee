/* hint.h - a move of the root that a search must look at well (KataGo's hint positions; set with
 * search_set_hint()). Threading: as in search.h. */
#pragma once
#include "search/tree/search_method.h"

typedef struct {
    Point move; /* POINT_NONE: none */
} HintState;

extern const SearchMethod METHOD_HINT;
