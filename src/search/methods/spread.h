/* spread.h - the distribution of values below each node, and what it promises above the mean: its
 * regret. lczero-training, README, "Categorical Value Head". Values are win - loss on [-1, 1],
 * White's where nothing else is said. The distribution of a leaf is normal, and its deviation is
 * the short-term error that the net expects; that of a parent is the weighted mean of its own and
 * its children's. Threading: confined. */
#pragma once
#include "search/tree/method_set.h"

/* What the functions below need to know of a search. */
typedef struct {
    const SearchSettings *settings;
    size_t node_at; /* the place beside a node */
} Spread;

size_t spread_bytes(const SearchSettings *settings); /* of a node; 0: off */
/* Sets the own distribution of a fresh leaf: `error` is a deviation, 0 at the end of a game. */
void spread_set_own(const Spread *spread, Tree *tree, uint32_t node, double error);

/* A mean that is being computed. A child counts with its weight; with regret_worse_only it counts
 * only if its value is worse than the node's for who moves there. */
typedef struct {
    const Spread *spread;
    Tree *tree;
    uint32_t node;
    double weight, mean, square;
    double buckets[64];
} SpreadSum;
/* Counts how the evaluations below a node lie on [-1, 1], in `count` buckets of equal width, from
 * White's (`side` 1) or Black's (-1) view. The sum is the visits of the node. A node that a graph
 * shares counts by the visits of its parents (p3achygo, cc/mcts/gumbel.cc: v_categorical). */
void spread_count(const Tree *tree, uint32_t node, double side, double *buckets, int count);
/* Begins with the own distribution of the node. */
SpreadSum spread_begin(const Spread *spread, Tree *tree, uint32_t node);
void spread_add(SpreadSum *sum, uint32_t child, double weight);
void spread_end(const SpreadSum *sum);

/* R = E[max(v - q, 0)] over the distribution of a node; v and q are of `color`. Where nodes keep
 * the variance alone, the distribution is taken to be normal:
 *     R = s phi(z) - (q - m) (1 - Phi(z)),   z = (q - m) / s */
double spread_regret(const Spread *spread, const Tree *tree, uint32_t node, Color color, double q);
double spread_normal_regret(double mean, double deviation, double q);

extern const SearchMethod METHOD_REGRET;
