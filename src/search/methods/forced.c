/* Forced playouts: each move of the root that has a node gets a minimum weight (Wu 2019, section
 * 3.2). puct_is_forced() has the formula; puct_select() uses it too. */
#include "search/select/puct.h"

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->forced_playouts > 0;
}

static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    (void)use, (void)prepared;
    if (!edge ||
        !puct_is_forced(choice->settings->forced_playouts, out->prior, choice->total, out->weight))
        return false;
    out->value = 1e20;
    return true;
}

extern const SearchMethod METHOD_FORCED;
const SearchMethod METHOD_FORCED = {.name = "forced playouts",
                                    .is_on = is_on,
                                    .splits = true,
                                    .root_only = true,
                                    .in_puct = true,
                                    .term = term};
