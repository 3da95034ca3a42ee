/* spread.h - the distribution of values below each node, and what it promises above the mean: its
 * regret. lczero-training, README, "Categorical Value Head". Values are win - loss on [-1, 1],
 * White's where nothing else is said. A leaf's own is normal, with the short-term error that its
 * net expects as deviation; parents have the weighted mean of their own and their children's.
 * Threading: confined. */
#pragma once
#include "search/method_set.h"

/* What the functions below need to know of a search. */
typedef struct {
    const SearchSettings *settings;
    size_t node_at; /* the place beside a node */
} Spread;

size_t spread_bytes(const SearchSettings *settings); /* of a node; 0: off */
/* A fresh leaf's own: `error` is a deviation, 0 at the end of a game. */
void spread_set_own(const Spread *spread, Tree *tree, uint32_t node, double error);

/* The mean under way. A child counts with its weight; with regret_worse_only only if its value is
 * worse than the node's for who moves there. */
typedef struct {
    const Spread *spread;
    Tree *tree;
    uint32_t node;
    double weight, mean, square;
    double buckets[64];
} SpreadSum;
/* How the evaluations that the root's value is the mean of lie on [-1, 1], from White's (`side` 1)
 * or Black's (-1) view: in `count` buckets of equal width, the visits of the node, which are the
 * sum (p3achygo, cc/mcts/gumbel.cc: v_categorical; what a graph shares counts by its parents'
 * visits).
 */
void spread_count(const Tree *tree, uint32_t node, double side, double *buckets, int count);
SpreadSum spread_begin(const Spread *spread, Tree *tree, uint32_t node); /* with its own */
void spread_add(SpreadSum *sum, uint32_t child, double weight);
void spread_end(const SpreadSum *sum);

/* R = E[max(v - q, 0)] over a node's distribution, v and q of `color`. Of the variance alone:
 * s phi(z) - (q - m) (1 - Phi(z)), z = (q - m) / s, of a normal distribution. */
double spread_regret(const Spread *spread, const Tree *tree, uint32_t node, Color color, double q);
double spread_normal_regret(double mean, double deviation, double q);

extern const SearchMethod METHOD_REGRET;
