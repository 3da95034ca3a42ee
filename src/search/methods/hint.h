/* hint.h - the method that searches one move of the root well: the hint (KataGo's hint positions).
 * search_set_hint() sets the hint. Threading: as in search.h. */
#pragma once
#include "search/tree/search_method.h"

typedef struct {
    Point move; /* POINT_NONE if there is no hint */
} HintState;

extern const SearchMethod METHOD_HINT;
