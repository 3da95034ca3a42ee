/* tree.h - the nodes of one search in index pools: ids are positions in arrays that only grow. Values are White's.
 * A node's policy is sorted by prior, and its children are always those of the first moves: only the best unvisited prior is ever of interest.
 * Threading: confined. */
#pragma once
#include <stddef.h>
#include "base/error.h"
#include "go/position.h"
#include <stdint.h>

typedef enum { NODE_NEW, NODE_WAITING, NODE_EXPANDED, NODE_TERMINAL } NodeState;

typedef struct {
    float prior; /* at the root after temperature and noise */
    int16_t move; /* move_index() */
} PriorMove;

typedef struct {
    uint32_t child;
    int32_t visits;
    int32_t waiting; /* descents under way */
} Edge;

typedef struct {
    uint8_t state, mover;  /* NodeState; Color to move */
    uint16_t prior_count, child_count, child_capacity;
    uint32_t priors, edges; /* places in the pools */
    int32_t visits;
    float weight, weight_sq; /* sums */
    float win_loss, no_result, score_mean, score_mean_sq, lead, utility, utility_sq; /* averages */
    float own_win_loss, own_no_result, own_score_mean, own_score_mean_sq, own_lead, own_utility, own_weight; /* the net's, or of the end of the game */
} Node;

typedef struct {
    Node *nodes;
    PriorMove *priors;
    Edge *edges;
    size_t node_count, node_capacity, prior_count, prior_capacity, edge_count, edge_capacity;
    size_t limit_bytes;
    bool full;
} Tree;

void tree_clear(Tree *tree);  /* keeps the memory */
void tree_free(Tree *tree);
/* A new node, or UINT32_MAX when there is no room: then the tree is full. Node 0 is the root. */
uint32_t tree_add(Tree *tree, Color mover);
/* Sets the sorted policy of a node. `moves` is sorted here. false: full. */
bool tree_set_priors(Tree *tree, uint32_t node, PriorMove *moves, int count);
/* Makes the edge to the next move of the policy, with a new node. Its index, or -1: full. */
int tree_add_child(Tree *tree, uint32_t node, Color mover);
/* Makes the child of `edge` the root of `out` (cleared before); parents come before children there. false: no room. */
bool tree_extract(const Tree *tree, uint32_t node, Tree *out);
size_t tree_bytes(const Tree *tree); /* in use */
int tree_compare_priors(const void *a, const void *b); /* falling prior, then move */
