/* made_root.h - makes a search whose root is evaluated, with priors that the test chooses, but has
 * no children yet. The test adds children and sets their values. */
#pragma once
#include "made_up.h"
#include "search/core/search_private.h"

/* Makes a search on 3x3 in which White is to move after Black's `move`. `policy` has the priors of
 * the nine points and the pass; -1 means that the move is illegal. `visits` is the limit of
 * visits. */
static inline Search *search_with_root_after(const SearchSettings *settings, Point move,
                                             const float policy[10], int64_t visits) {
    Position position = position_empty(3, 0.5f);
    EXPECT_OK(position_play(&position, move, err));
    Search *search = search_of(settings, 1, position);
    search_begin(search, &(SearchLimits){.visits = visits});
    tree_add(&search->tree, COLOR_WHITE);
    EXPECT_TRUE(tree_set_policy(&search->tree, 0, policy, true));
    memcpy(search->raw_policy, policy, 10 * sizeof *policy);
    Node *root = search->tree.nodes;
    root->state = NODE_EXPANDED;
    root->visits = 1;
    root->own_weight = 1;
    return search;
}

static inline Search *search_with_root(const SearchSettings *settings, const float policy[10]) {
    return search_with_root_after(settings, POINT_PASS, policy, 100);
}

/* Makes a method of the search active or not, whatever its own begin() returned. */
static inline void method_activate(Search *search, const SearchMethod *method, bool active) {
    for (int i = 0; i < search->methods.count; i++) {
        if (search->methods.all[i].method == method) search->methods.all[i].active = active;
    }
    method_set_gather(&search->methods);
}

static inline Edge *root_edge(const Search *search, int index) {
    return &search->tree.edges[search->tree.nodes[0].edges + (uint32_t)index];
}

static inline Node *root_child(const Search *search, int index) {
    return &search->tree.nodes[root_edge(search, index)->child];
}

/* Sets child `index` of the root and its edge. Each visit has weight 1. `utility` is White's mean
 * utility, which becomes win - loss too, and `square` is the mean square of the utility. */
static inline void root_set_child(Search *search, int index, int visits, float utility,
                                  float square) {
    Node *child = root_child(search, index);
    root_edge(search, index)->visits = child->visits = visits;
    child->weight = child->weight_sq = (float)visits;
    child->utility = child->win_loss = utility;
    child->utility_sq = square;
    puct_take_child(&search->tree, root_edge(search, index));
}
