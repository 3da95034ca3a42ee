/* bias.h - subtree value bias correction: nodes that were reached by the same local shape share how
 * far their nets' values were from what search found below them, and that is taken from their own
 * values. KataGo, docs/KataGoMethods.md, "Subtree Value Bias Correction". Values are White's.
 * Threading: confined. */
#pragma once
#include "go/position.h"
#include "search/method_set.h"

/* What is kept beside a node. */
typedef struct {
    uint32_t entry;    /* place in the table + 1; 0: none */
    float sum, weight; /* its last contribution to the entry */
} NodeBias;

typedef struct {
    uint64_t key;
    double sum, weight; /* of errors times weights; of weights */
} BiasEntry;

typedef struct {
    BiasEntry *entries;
    size_t entry_count, entry_capacity;
    uint32_t *slots; /* open addressing: place + 1 of an entry; 0: empty */
    size_t slot_count, limit_bytes;
    double factor, weight_exponent;
    size_t node_at; /* the place of NodeBias beside a node */
} BiasTable;

void bias_clear(BiasTable *table); /* keeps the memory */
void bias_free(BiasTable *table);
/* Hash of the last two moves, who made the last, the 5x5 points around it before it was played,
 * with the chains in atari, and the ko of that time. 0: there is none (a pass, a single move). */
uint64_t bias_key(const Position *position);
/* The entry of that key, made when it is new: its place + 1; 0: no room, or key 0. */
uint32_t bias_entry(BiasTable *table, uint64_t key);
/* What to add to a node's own utility:
 *     -factor sum(w err) / sum(w),   w = weight^exponent, err = own - mean of the children
 * `weight`, `mean`: of the children; weight 0: there are none and the entry is only read. Takes the
 * node's own error into the entry first. */
double bias_correct(BiasTable *table, NodeBias *node, double own, double weight, double mean);
/* Takes away `share` (negative: gives back) of what the nodes of the tree contributed. */
void bias_release(BiasTable *table, const Tree *tree, double share);
/* Forgets entries that no node of the tree has. */
void bias_sweep(BiasTable *table, Tree *tree);

extern const SearchMethod METHOD_BIAS; /* its state is a BiasTable */
