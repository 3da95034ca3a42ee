/* Wide root noise: flattens the priors of the root and adds noise to values, so that more moves
 * are searched (KataGo, cpp/search/searchexplorehelpers.cpp). */
#include <math.h>

#include "search/tree/method_set.h"

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->wide_root_noise > 0;
}

static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    (void)use, (void)prepared, (void)edge;
    double wide = choice->settings->wide_root_noise;
    out->prior = pow(out->prior, 1 / (4 * wide + 1));
    if (rng_next(choice->rng) & 1) out->value += wide * fabs(rng_normal(choice->rng));
    return false;
}

extern const SearchMethod METHOD_WIDE_NOISE;
const SearchMethod METHOD_WIDE_NOISE = {
    .name = "wide root noise", .is_on = is_on, .splits = true, .root_only = true, .term = term};
