/* Futile visits: moves of the root that can no longer become the move to play get no visits
 * (KataGo, cpp/search/searchexplorehelpers.cpp). */
#include "search/tree/method_set.h"

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->futile_visits > 0;
}

/* Excludes a move if, even with all visits that are left, its weight would stay below the fraction
 * search.futile_visits of the largest weight. */
static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    (void)use, (void)prepared;
    int visits = edge ? edge->visits + edge->waiting : 0;
    double wanted = choice->settings->futile_visits * choice->max_weight,
           visits_per_weight = (visits + 1) / (out->weight + choice->weight_per_visit);
    if (choice->visits_left < 0 || wanted <= 0 ||
        (double)(visits + choice->visits_left) >= wanted * visits_per_weight)
        return false;
    out->value = -1e40;
    return true;
}

extern const SearchMethod METHOD_FUTILE;
const SearchMethod METHOD_FUTILE = {
    .name = "futile visits", .is_on = is_on, .splits = true, .root_only = true, .term = term};
