/* value_bias.h - subtree value bias correction: nodes that were reached by the same local shape
 * share how far the net's values were from what the search found below them, and this error is
 * subtracted from their own values. KataGo, docs/KataGoMethods.md, "Subtree Value Bias
 * Correction". Values are White's. Threading: confined. */
#pragma once
#include "go/position.h"
#include "search/tree/method_set.h"

/* What is kept beside a node. */
typedef struct {
    uint32_t entry;    /* index of its entry in the table, plus 1; 0: it has none */
    float sum, weight; /* what the node has added to the entry */
} NodeBias;

typedef struct {
    uint64_t key;
    double sum, weight; /* sum of weight * error; sum of the weights */
} BiasEntry;

typedef struct {
    BiasEntry *entries;
    size_t entry_count, entry_capacity;
    uint32_t *slots; /* open addressing: index of an entry, plus 1; 0: empty */
    size_t slot_count, limit_bytes;
    double factor, weight_exponent;
    size_t node_at; /* where NodeBias lies in the method data of a node */
} BiasTable;

void bias_clear(BiasTable *table); /* keeps the memory */
void bias_free(BiasTable *table);
/* A hash of the last two moves, who made the last one, the 5x5 points around it before it was
 * played, with chains in atari marked, and the ko of that time. 0: the last move was a pass or
 * the only one. */
uint64_t bias_key(const Position *position);
/* The index of the entry of that key, plus 1; the entry is made if it is new. 0: there is no
 * room, or the key is 0. */
uint32_t bias_entry(BiasTable *table, uint64_t key);
/* What to add to a node's own utility:
 *     -factor sum(w err) / sum(w),   w = weight^exponent, err = own - mean of the children
 * `weight` and `mean` are those of the children. The node's own error enters the entry first;
 * with weight 0 there are no children, and the entry is only read. */
double bias_correct(BiasTable *table, NodeBias *node, double own, double weight, double mean);
/* Subtracts the fraction `fraction` of what the nodes of the tree contributed from the entries;
 * negative: adds it back. */
void bias_release(BiasTable *table, const Tree *tree, double fraction);
/* Removes entries that no node of the tree uses. */
void bias_sweep(BiasTable *table, Tree *tree);

extern const SearchMethod METHOD_BIAS; /* its state is a BiasTable */
