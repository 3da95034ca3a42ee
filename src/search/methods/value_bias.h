/* value_bias.h - subtree value bias correction. Nodes that were reached by the same local shape
 * share an entry in a table. The entry holds the mean error of the net's values against what the
 * search found below these nodes. A fraction of this error is subtracted from their own values.
 * KataGo, docs/KataGoMethods.md, "Subtree Value Bias Correction". Values are White's. Threading:
 * confined. */
#pragma once
#include "go/position.h"
#include "search/tree/method_set.h"

/* The data beside each node of the tree. */
typedef struct {
    uint32_t entry;    /* index of its entry in the table, plus 1; 0 if it has none */
    float sum, weight; /* what the node has added to the entry */
} NodeBias;

typedef struct {
    uint64_t key;
    double sum, weight; /* sum of weight * (-error); sum of the weights */
} BiasEntry;

typedef struct {
    BiasEntry *entries;
    size_t entry_count, entry_capacity;
    uint32_t *slots; /* open addressing: index of an entry, plus 1; 0 if empty */
    size_t slot_count, limit_bytes;
    double factor, weight_exponent;
    size_t node_at; /* where NodeBias lies in the method data of a node */
} BiasTable;

void bias_clear(BiasTable *table); /* keeps the memory */
void bias_free(BiasTable *table);
/* Returns a hash of the last two moves, of who made the last one, and of two things on the board
 * before the last move: the 5x5 points around it, with chains in atari marked, and the ko. Returns
 * 0 if the last move was a pass or fewer than two moves were played. */
uint64_t bias_key(const Position *position);
/* Returns the index, plus 1, of the entry of that key, which is made if it is new. Returns 0 if
 * there is no room or the key is 0. */
uint32_t bias_entry(BiasTable *table, uint64_t key);
/* Returns what to add to a node's own utility:
 *     -factor sum(w err) / sum(w),   w = weight^exponent, err = own - mean of the children
 * `weight` and `mean` are those of the children. Before that, the node's present error replaces
 * its earlier one in the sums of the entry. If `weight` is 0 there are no children, and the entry
 * is only read. */
double bias_correct(BiasTable *table, NodeBias *node, double own, double weight, double mean);
/* Subtracts from the entries this fraction of what the nodes of the tree have added to them. A
 * negative fraction adds it back. */
void bias_release(BiasTable *table, const Tree *tree, double fraction);
/* Removes entries that no node of the tree uses. */
void bias_sweep(BiasTable *table, Tree *tree);

extern const SearchMethod METHOD_BIAS; /* its state is a BiasTable */
