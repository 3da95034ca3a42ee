/* puct.h - which move a descent takes, and what a node's statistics become (Wu 2019, section 2;
 * KataGo, cpp/search). Threading: the frame is immutable, but for its table of bias correction;
 * nodes as in tree.h. */
#pragma once
#include "search/bias.h"
#include "search/repeats.h"
#include "search/search_settings.h"

typedef struct {
    const SearchSettings *settings;
    double center, edge; /* of the score's utility, points for White; sqrt of the area */
    BiasTable *bias;     /* NULL: off; else NodeBias is the first that is kept beside nodes */
    bool spread;         /* whether spread.h's part is kept there */
    size_t spread_at;    /* its place */
    bool repeats;        /* whether NodeRepeat is kept there */
    size_t repeats_at;
} Frame;

static inline NodeRepeat *repeat_of(const Frame *frame, const Tree *tree, uint32_t node) {
    return (NodeRepeat *)(void *)((unsigned char *)tree_side(tree, node) + frame->repeats_at);
}

static inline double side_of(const Node *node) {
    return node->mover == COLOR_WHITE ? 1 : -1;
}

/* Exploration factor E of   s U(c) + E P(c) / (1 + w(c)). `weight`: of all children. */
double puct_exploration(const Frame *frame, const Node *node, double weight);
/* First-play urgency: the value of a node's unvisited moves, White's. */
double puct_unvisited_value(const Frame *frame, const Node *node, bool root);
/* The same where the moves with a node have so much of another policy. */
double puct_unvisited_value_of(const Frame *frame, const Node *node, double visited_policy,
                               bool root);
/* What a move is worth in a choice, descents under way counted as losses (virtual losses). */
typedef struct {
    double weight, utility; /* White's */
} Seen;
Seen puct_see(const Frame *frame, const Node *node, const Edge *edge, double unvisited);
/* Edge index to follow, or child_count for the best move without a node; -1: there is no move. */
int puct_select(const Frame *frame, const Tree *tree, uint32_t node, bool root);
/* Sets own_utility from the own values; after they or the center changed. */
void puct_set_own_utility(const Frame *frame, Node *node);
/* An edge gets its child's averages; after the child or the visits of either changed. */
void puct_take_child(const Tree *tree, Edge *edge);
/* Own value and what the edges know of the children to averages. */
void puct_update(const Frame *frame, Tree *tree, uint32_t node, bool root);
/* The same after all edges took their children. Call after visits and edge visits were counted. */
void puct_recompute(const Frame *frame, Tree *tree, uint32_t node, bool root);
/* Weight of a net's evaluation by its short-term error:
 *     coeff / (e^exponent + coeff / max_weight),  e: the error as utility
 * KataGo, docs/KataGoMethods.md, "Uncertainty-weighted MCTS playouts". 1 without error heads (-1).
 */
double puct_leaf_weight(const Frame *frame, double winloss_error, double score_error,
                        double score_mean);
/* Of the weights of a root's moves those below min(move_prune, most / 64) become 0, from the others
 * min(move_subtract, most / 64) is taken. */
void puct_prune_small(const SearchSettings *settings, double *weights, int count);
/* Weight of a child through an edge: in proportion to the edge's visits. */
double puct_edge_weight(const Tree *tree, const Edge *edge);
