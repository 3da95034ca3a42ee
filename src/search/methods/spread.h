/* spread.h - the distribution of values below each node, and its regret: how much it promises
 * above the mean. lczero-training, README, "Categorical Value Head". Values are win - loss on
 * [-1, 1], White's unless stated otherwise. The distribution of a leaf is normal, and its
 * deviation is the short-term error that the net expects. That of a parent is the weighted mean
 * of its own and its children's. Threading: confined. */
#pragma once
#include "search/tree/method_set.h"

/* What the functions below need to know of a search. */
typedef struct {
    const SearchSettings *settings;
    size_t node_at; /* its place in the method data of a node */
} Spread;

/* Bytes beside each node; 0: the method is off. */
size_t spread_bytes(const SearchSettings *settings);
/* Sets the own distribution of a new leaf. `error`: its standard deviation; 0 at the end of a
 * game. */
void spread_set_own(const Spread *spread, Tree *tree, uint32_t node, double error);

/* A distribution that is being added up. A child counts with its weight; with regret.worse_only
 * only children whose value is worse than the node's for the mover count. */
typedef struct {
    const Spread *spread;
    Tree *tree;
    uint32_t node;
    double weight, mean, square;
    double buckets[64];
} SpreadSum;
/* Counts the evaluations below a node in `count` buckets of equal width on [-1, 1], as seen by
 * White (`side` 1) or Black (-1). The counts add up to the visits of the node. A node that
 * several parents share counts for each by that parent's part of its visits (p3achygo,
 * cc/mcts/gumbel.cc: v_categorical). */
void spread_count(const Tree *tree, uint32_t node, double side, double *buckets, int count);
/* Begins with the own distribution of the node. */
SpreadSum spread_begin(const Spread *spread, Tree *tree, uint32_t node);
void spread_add(SpreadSum *sum, uint32_t child, double weight);
void spread_end(const SpreadSum *sum);

/* The regret of a node's distribution:
 *     R = E[max(v - q, 0)]
 * v and q are those of `color`. If nodes keep the variance alone, the distribution is taken to be
 * normal:
 *     R = s phi(z) - (q - m) (1 - Phi(z)),   z = (q - m) / s */
double spread_regret(const Spread *spread, const Tree *tree, uint32_t node, Color color, double q);
double spread_normal_regret(double mean, double deviation, double q);

extern const SearchMethod METHOD_REGRET;
