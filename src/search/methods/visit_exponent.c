/* Lets exploration grow with another power of the visits. Let W be the weight of all moves of a
 * node. PUCT's exploration grows as sqrt(W + 0.01), times a factor that depends only on the
 * logarithm of W. This method multiplies the exploration by
 *     (W + 0.01)^(e - 1/2),   e: search.visit_exponent
 * so that the exploration grows as (W + 0.01)^e. With e below 1/2 the policy counts for less in
 * large searches (lczero-training, README, "Categorical Value Head", which proposes this together
 * with a term of regret that grows faster). */
#include <math.h>

#include "search/tree/method_set.h"

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->visit_exponent != 0.5;
}

static double prepare(const Choice *choice, const MethodUse *use) {
    (void)use;
    return pow(choice->total + 0.01, choice->settings->visit_exponent - 0.5);
}

static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    (void)choice, (void)use, (void)edge;
    out->exploration *= prepared;
    return false;
}

extern const SearchMethod METHOD_VISIT_EXPONENT;
const SearchMethod METHOD_VISIT_EXPONENT = {
    .name = "visit exponent", .is_on = is_on, .splits = true, .prepare = prepare, .term = term};
