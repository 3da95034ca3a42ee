/* value_bias.h - subtree value bias correction. If the moves to several nodes made the same local
 * shape, these nodes share an entry in a table. The error of such a node is the difference between
 * the net's value and the value that the search found below the node. The entry holds the mean of
 * these errors. A fraction of this mean is subtracted from the net's values of these nodes. KataGo,
 * docs/KataGoMethods.md, "Subtree Value Bias Correction". Values are White's. Threading:
 * confined. */
#pragma once
#include "go/position.h"
#include "search/tree/method_set.h"

/* The data beside each node of the tree. */
typedef struct {
    uint32_t entry;    /* index of its entry in the table, plus 1; 0 if it has none */
    float sum, weight; /* what the node has added to the sums of the entry */
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
/* Returns a hash of the last two moves, of who made the last move, and of the board before the last
 * move. Of this board, the hash covers the ko and the 5x5 points around the last move, with chains
 * in atari marked. Returns 0 if the last move was a pass, or if fewer than two moves were
 * played. */
uint64_t bias_key(const Position *position);
/* Returns the index, plus 1, of the entry of this key, and makes the entry if necessary. Returns 0
 * if there is no room or the key is 0. */
uint32_t bias_entry(BiasTable *table, uint64_t key);
/* Returns what to add to a node's own utility:
 *     -factor sum(w err) / sum(w),   w = weight^exponent, err = own - mean of the children
 * `weight` and `mean` are the weight and the mean utility of the children. The function first
 * replaces the node's earlier error in the sums of the entry by its present error. If `weight` is
 * 0, there are no children, and the function only reads the entry. */
double bias_correct(BiasTable *table, NodeBias *node, double own, double weight, double mean);
/* Subtracts from the entries a fraction of what the nodes of the tree have added to them. With a
 * negative fraction this adds to the entries. */
void bias_release(BiasTable *table, const Tree *tree, double fraction);
/* Removes entries that no node of the tree uses. */
void bias_sweep(BiasTable *table, Tree *tree);

extern const SearchMethod METHOD_BIAS; /* its state is a BiasTable */
