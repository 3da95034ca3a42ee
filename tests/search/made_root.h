/* made_root.h - a search that stands at an evaluated root with chosen priors, no child yet. */
#pragma once
#include "made_up.h"
#include "search/search_private.h"

/* White to move on 3x3 after Black's pass; `policy` of the nine points and the pass, -1: illegal.
 */
static inline Search *search_with_root(const SearchSettings *settings, const float policy[10]) {
    Position position = position_empty(3, 0.5f);
    EXPECT_OK(position_play(&position, POINT_PASS, err));
    Search *search = search_of(settings, 1, position);
    search_begin(search, &(SearchLimits){.visits = 100});
    tree_add(&search->tree, COLOR_WHITE);
    EXPECT_TRUE(tree_set_policy(&search->tree, 0, policy, true));
    memcpy(search->raw_policy, policy, 10 * sizeof *policy);
    Node *root = search->tree.nodes;
    root->state = NODE_EXPANDED;
    root->visits = 1;
    root->own_weight = 1;
    return search;
}
