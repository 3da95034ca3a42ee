/* puct.h - which move a descent takes, and how the averages of a node are computed (Wu 2019,
 * section 2; KataGo, cpp/search). The methods of a search are plug-ins (search_method.h).
 * Threading: once the root has its evaluation, nothing in a Frame changes during the search, except
 * the states of the methods. For nodes see tree.h. */
#pragma once
#include <math.h>

#include "search/tree/method_set.h"

struct Frame {
    const SearchSettings *settings;
    double center;      /* score at which the dynamic utility of score is 0, points for White */
    double board_scale; /* square root of the board's area */
    const MethodSet *methods; /* methods with hooks on averages; may be NULL */
};

static inline double side_of(const Node *node) {
    return node->mover == COLOR_WHITE ? 1 : -1;
}

/* Returns the factor of exploration, E. A descent chooses the move whose child c has the largest
 *     s U(c) + E P(c) / (1 + w(c))
 * Here U is White's utility, s is 1 if White moves and -1 if Black moves, P is the prior, and w is
 * the weight of the visits. `weight` is the sum of w over all children. */
double puct_exploration(const Frame *frame, const Node *node, double weight);
/* The utility, White's, of a node's unvisited moves ("first play urgency"). */
double puct_unvisited_value(const Frame *frame, const Node *node, bool root);
/* Does the same for another policy. `visited_policy` is the sum of this policy over the moves that
 * have a node. */
double puct_unvisited_value_of(const Frame *frame, const Node *node, double visited_policy,
                               bool root);
/* The weight and the utility that a move has for a descent. Other descents that are under way count
 * as losses (virtual losses). */
typedef struct {
    double weight, utility; /* White's */
} EdgeValue;
EdgeValue puct_edge_value(const Frame *frame, const Node *node, const Edge *edge, double unvisited);
/* Whether a move of the root must be chosen now. This is so if its weight is below
 *     sqrt(k P N),   k: search.forced_playouts, N: the weight of all moves
 * Wu 2019, section 3.2. */
static inline bool puct_is_forced(double k, double prior, double total, double weight) {
    return k > 0 && prior > 0 && weight < sqrt(prior * total * k);
}
/* Chooses a move by PUCT. Returns the index of the edge of the move, or child_count if the move is
 * the best move without a node. Returns -1 if there is no move. */
int puct_select(const Frame *frame, const Tree *tree, uint32_t node, bool root);
/* Sets own_utility from the node's other own values. Call it after one of those values or the
 * center has changed. */
void puct_set_own_utility(const Frame *frame, Node *node);
/* Copies the averages of the child to its edge. Call it after the averages, or the visits of child
 * or edge, have changed. */
void puct_take_child(const Tree *tree, Edge *edge);
/* Computes the averages of a node from its own value and from the averages of its children, which
 * the edges store. */
void puct_update(const Frame *frame, Tree *tree, uint32_t node, bool root);
/* Lets all edges take the averages of their children, and then does what puct_update() does. */
void puct_recompute(const Frame *frame, Tree *tree, uint32_t node, bool root);
/* Sets weights[i] to the weight that the child of edge i has in the value of the node. Noise
 * pruning and the reduction of bad children are included. A child that does not count has 0.
 * Returns the weight of the node's own value. Node 0 is the root. Methods may still change the sums
 * (SearchMethod.sum). */
double puct_value_weights(const Frame *frame, const Tree *tree, uint32_t node, double *weights);
/* Returns the weight of a net's evaluation, which depends on the short-term error that the net
 * expects:
 *     coeff / (e^exponent + coeff / max_weight),  e: the error as utility
 * KataGo, docs/KataGoMethods.md, "Uncertainty-weighted MCTS playouts". coeff, exponent and
 * max_weight are settings search.uncertainty.*. The weight is 1 if search.uncertainty.on is false,
 * and for nets without heads for errors, whose errors are -1. */
double puct_leaf_weight(const Frame *frame, double winloss_error, double score_error,
                        double score_mean);
/* Let max be the largest weight of a root move. Sets weights below min(move_prune, max / 64) to 0,
 * and subtracts min(move_subtract, max / 64) from the other weights. */
void puct_prune_small(const SearchSettings *settings, double *weights, int count);
/* The weight that a child has through an edge: its own weight times edge visits / child visits. */
double puct_edge_weight(const Tree *tree, const Edge *edge);
