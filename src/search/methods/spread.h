/* spread.h - the distribution of values below each node, and the regret of the distribution. The
 * regret is the mean of max(value - q, 0) for a given q (see spread_regret()). lczero-training,
 * README, "Categorical Value Head". Values are win - loss on [-1, 1], White's unless stated
 * otherwise. A node that is evaluated gets a distribution of its own. This is a normal
 * distribution: its mean is the net's value, and its standard deviation is the short-term error
 * that the net expects. With search.regret.spread = net, the node's own distribution is instead
 * that of the net's head value_buckets. The distribution of a parent is the weighted mean of its
 * own distribution and the distributions of its children. Threading: confined. */
#pragma once
#include "eval/evaluators/evaluation.h"
#include "search/tree/method_set.h"

/* The settings of a search, and where its nodes keep the data of this method. */
typedef struct {
    const SearchSettings *settings;
    size_t node_at; /* offset of the method's data in the method data of a node */
} Spread;

/* How many bytes of data the method keeps for each node, or 0 if the method is off. */
size_t spread_bytes(const SearchSettings *settings);
/* Sets the own distribution of a new leaf, which comes from its evaluation. `error` is the standard
 * deviation of this distribution. A node where the game is over has no evaluation; the function is
 * not called for it, and its deviation stays 0. */
void spread_set_own(const Spread *spread, Tree *tree, uint32_t node, double error);
/* Does the same with SPREAD_NET. from[i] is the probability that White's win - loss lies in part i
 * of EVALUATION_BUCKETS equal parts of [-1, 1]. The parts are divided among the
 * search.regret.buckets buckets of the node, by their overlap. */
void spread_set_own_buckets(const Spread *spread, Tree *tree, uint32_t node,
                            const float from[EVALUATION_BUCKETS]);

/* A distribution that is being added up. A child counts with its weight. With
 * regret.worse_only, a child counts only if its value is worse for the mover than the node's. */
typedef struct {
    const Spread *spread;
    Tree *tree;
    uint32_t node;
    double weight, mean, square;
    double buckets[64];
} SpreadSum;
/* Counts the evaluations below a node in `count` buckets of equal width on [-1, 1], as seen by
 * White (`side` 1) or Black (-1). The sum of the counts is the number of visits of the node. If
 * several parents share a node, it counts for each parent in proportion to the visits that came
 * from this parent (p3achygo, cc/mcts/gumbel.cc: v_categorical). */
void spread_count(const Tree *tree, uint32_t node, double side, double *buckets, int count);
/* Begins a sum with the node's own distribution. spread_add() adds the distribution of a child with
 * its weight, and spread_end() stores the weighted mean of these distributions as the distribution
 * of the node. */
SpreadSum spread_begin(const Spread *spread, Tree *tree, uint32_t node);
void spread_add(SpreadSum *sum, uint32_t child, double weight);
void spread_end(const SpreadSum *sum);

/* The regret of a node's distribution:
 *     R = E[max(v - q, 0)]
 * v is a value drawn from the distribution. q is the value with which v is compared, usually the
 * mean value of the node. Both are values of `color`. If nodes store only the mean m and the
 * deviation s, the distribution is assumed to be normal. phi and Phi are the density and the
 * distribution function of the standard normal distribution:
 *     R = s phi(z) - (q - m) (1 - Phi(z)),   z = (q - m) / s */
double spread_regret(const Spread *spread, const Tree *tree, uint32_t node, Color color, double q);
double spread_normal_regret(double mean, double deviation, double q);

extern const SearchMethod METHOD_REGRET;
