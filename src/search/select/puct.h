/* puct.h - which move a descent takes, and what a node's statistics become (Wu 2019, section 2;
 * KataGo, cpp/search). Threading: the frame is immutable while a search runs, but for the states of
 * its methods; nodes are as in tree.h. */
#pragma once
#include <math.h>

#include "search/tree/method_set.h"

struct Frame {
    const SearchSettings *settings;
    double center;            /* of the utility of score, points for White */
    double board_scale;       /* sqrt of the board's area */
    const MethodSet *methods; /* those that enter averages; NULL: none */
};

static inline double side_of(const Node *node) {
    return node->mover == COLOR_WHITE ? 1 : -1;
}

/* Exploration factor E of   s U(c) + E P(c) / (1 + w(c)). `weight`: of all children. */
double puct_exploration(const Frame *frame, const Node *node, double weight);
/* First-play urgency: the value of a node's unvisited moves, White's. */
double puct_unvisited_value(const Frame *frame, const Node *node, bool root);
/* The same where another policy gives the moves with a node `visited_policy` in all. */
double puct_unvisited_value_of(const Frame *frame, const Node *node, double visited_policy,
                               bool root);
/* What a move is worth in a choice, descents under way counted as losses (virtual losses). */
typedef struct {
    double weight, utility; /* White's */
} EdgeValue;
EdgeValue puct_edge_value(const Frame *frame, const Node *node, const Edge *edge, double unvisited);
/* Whether a move of the root is to be looked at first, as it has less weight than
 *     sqrt(k P N),   k: search.forced_playouts, N: the weight of all moves
 * Wu 2019, section 3.2. */
static inline bool puct_is_forced(double k, double prior, double total, double weight) {
    return k > 0 && prior > 0 && weight < sqrt(prior * total * k);
}
/* Edge index to follow, or child_count for the best move without a node; -1: there is no move. */
int puct_select(const Frame *frame, const Tree *tree, uint32_t node, bool root);
/* Sets own_utility from the own values; to be called after these or the center changed. */
void puct_set_own_utility(const Frame *frame, Node *node);
/* Copies the averages of the child to its edge; to be called after the child or the visits of
 * either changed. */
void puct_take_child(const Tree *tree, Edge *edge);
/* Computes the averages of a node from its own value and from what the edges know of the
 * children. */
void puct_update(const Frame *frame, Tree *tree, uint32_t node, bool root);
/* The same after all edges took the averages of their children. To be called after visits and edge
 * visits were counted. */
void puct_recompute(const Frame *frame, Tree *tree, uint32_t node, bool root);
/* Weight of a net's evaluation by its short-term error:
 *     coeff / (e^exponent + coeff / max_weight),  e: the error as utility
 * KataGo, docs/KataGoMethods.md, "Uncertainty-weighted MCTS playouts". 1 without error heads (-1).
 */
double puct_leaf_weight(const Frame *frame, double winloss_error, double score_error,
                        double score_mean);
/* Sets weights of a root's moves that are below min(move_prune, most / 64) to 0, and takes
 * min(move_subtract, most / 64) from the others; most: the largest of them. */
void puct_prune_small(const SearchSettings *settings, double *weights, int count);
/* The weight of a child through an edge: its own, times the part of its visits that the edge
 * has. */
double puct_edge_weight(const Tree *tree, const Edge *edge);
