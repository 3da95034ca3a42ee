/* puct.h - which move a descent takes, and what a node's statistics become (Wu 2019, section 2; KataGo, cpp/search). */
#pragma once
#include "search/search_settings.h"
#include "search/tree.h"

typedef struct {
    const SearchSettings *settings;
    double center, edge; /* of the score's utility; sqrt of the area */
} Frame;

static inline double side_of(const Node *node) { return node->mover == COLOR_WHITE ? 1 : -1; }

/* Exploration factor E of   s U(c) + E P(c) / (1 + w(c)). `weight`: of all children. */
double puct_exploration(const Frame *frame, const Node *node, double weight);
/* First-play urgency of the node's unvisited moves, White's view. `visited_policy`: priors of its children. */
double puct_unvisited_value(const Frame *frame, const Node *node, bool root, double visited_policy);
/* Edge index to follow, or child_count for the best unvisited move; -1 if there is no move at all. */
int puct_select(const Frame *frame, const Tree *tree, uint32_t node, bool root);
/* Own value and children to averages. Call after visits and edge visits were counted. */
void puct_recompute(const Frame *frame, Tree *tree, uint32_t node, bool root);
/* Weight of a net's evaluation by its short-term error (KataGoMethods, uncertainty weighting). */
double puct_leaf_weight(const Frame *frame, double winloss_error, double score_error, double score_mean);
/* The value of a child through an edge: weight in proportion to the edge's visits. */
double puct_edge_weight(const Tree *tree, const Edge *edge);
