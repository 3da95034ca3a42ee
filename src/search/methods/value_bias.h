/* value_bias.h - subtree value bias correction: nodes that were reached by the same local shape learn
 * from each other how far the net's value was from what the search found below it, and that error
 * is taken from their own values. KataGo, docs/KataGoMethods.md, "Subtree Value Bias Correction".
 * Values are White's. Threading: confined. */
#pragma once
#include "go/position.h"
#include "search/tree/method_set.h"

/* What is kept beside a node. */
typedef struct {
    uint32_t entry;    /* place in the table + 1; 0: none */
    float sum, weight; /* what the node has given to the entry */
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
/* The hash of the last two moves, of who made the last, of the 5x5 points around it before it was
 * played, with the chains in atari, and of the ko of that time. 0: there is none, as the last move
 * was a pass or the only one. */
uint64_t bias_key(const Position *position);
/* The place + 1 of the entry of that key, which is made if it is new; 0: no room, or key 0. */
uint32_t bias_entry(BiasTable *table, uint64_t key);
/* What to add to a node's own utility:
 *     -factor sum(w err) / sum(w),   w = weight^exponent, err = own - mean of the children
 * `weight` and `mean` are those of the children; weight 0: there are none, and the entry is only
 * read. Otherwise the node's own error enters the entry first. */
double bias_correct(BiasTable *table, NodeBias *node, double own, double weight, double mean);
/* Takes away `share` (negative: gives back) of what the nodes of the tree contributed. */
void bias_release(BiasTable *table, const Tree *tree, double share);
/* Forgets entries that no node of the tree has. */
void bias_sweep(BiasTable *table, Tree *tree);

extern const SearchMethod METHOD_BIAS; /* its state is a BiasTable */
