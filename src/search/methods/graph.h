/* graph.h - nodes that several parents share, as moves in another order lead to the same
 * position. Two positions are the same if their states are equal. As long as a repetition may
 * come soon, the paths to them must be equal too. KataGo, docs/GraphSearch.md,
 * cpp/game/graphhash.cpp. The hash of each node is kept beside it. Threading: confined. */
#pragma once
#include "go/position.h"
#include "search/tree/method_set.h"

typedef struct {
    uint32_t *slots; /* open addressing: node ids; 0: empty (the root is never shared) */
    size_t slot_count, node_count;
    size_t hash_at; /* where the hash lies in the method data of a node */
    int bound;
} Graph;

void graph_clear(Graph *graph); /* keeps the memory */
void graph_free(Graph *graph);
/* The minimum number of moves until the last move can be repeated: the stones of its chain plus
 * the empty points of the regions that the chain touches; after a suicide, the points of that
 * region. Counting ends above `max`. 0: the last move was a pass. */
int graph_repetition_bound(const Position *position, int max);
/* The hash of a position whose parent has the hash `before`. It is that of the state alone if a
 * repetition takes more moves than graph->bound; otherwise it depends on `before` too. Never 0. */
uint64_t graph_hash(const Graph *graph, uint64_t before, const Position *position);
/* 0: it has none yet. */
uint64_t graph_hash_of(const Graph *graph, const Tree *tree, uint32_t node);
/* The node with that hash and mover; NODE_NONE: there is none. */
uint32_t graph_find(const Graph *graph, const Tree *tree, uint64_t hash, Color mover);
/* Sets the hash of a node that has none yet, and enters the node into the table if there is
 * room. */
void graph_add(Graph *graph, const Tree *tree, uint32_t node, uint64_t hash);
/* Fills the table again from `count` nodes of the tree, in their order; NULL: from all nodes. */
void graph_rebuild(Graph *graph, const Tree *tree, const uint32_t *nodes, size_t count);

/* The state of the method in a search. */
typedef struct {
    Graph graph;
    /* Hash of the root, which has none beside its node unless it was a child before. */
    uint64_t root_hash;
} GraphState;

extern const SearchMethod METHOD_GRAPH;
