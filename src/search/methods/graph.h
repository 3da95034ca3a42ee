/* graph.h - graph search: several parents share a node if moves in another order lead to the same
 * position. Two positions are the same if their states are equal. Where a repetition may come soon,
 * the paths to them must be equal too. KataGo, docs/GraphSearch.md, cpp/game/graphhash.cpp. The
 * hash of each node is kept beside it. Threading: confined. */
#pragma once
#include "go/position.h"
#include "search/tree/method_set.h"

typedef struct {
    uint32_t *slots; /* open addressing: indices of nodes; 0 if empty (the root is never shared) */
    size_t slot_count, node_count; /* node_count: slots in use */
    size_t hash_at;                /* where the hash lies in the method data of a node */
    int bound;                     /* search.graph.repetition_bound */
} Graph;

void graph_clear(Graph *graph); /* keeps the memory */
void graph_free(Graph *graph);
/* A lower bound on the number of moves until the last move can be repeated. It counts the stones of
 * the chain of that move and the points of the empty regions that the chain touches. After a
 * suicide it counts the points of the empty region around the move. Counting ends above `max`. The
 * bound is 0 if the last move was a pass or if there is none. */
int graph_repetition_bound(const Position *position, int max);
/* The hash of a position whose parent has the hash `before`. It is the hash of only the state if a
 * repetition takes more moves than graph->bound, and otherwise depends on `before` too. It is never
 * 0. */
uint64_t graph_hash(const Graph *graph, uint64_t before, const Position *position);
/* The hash that is stored beside a node, or 0 if it has none yet. */
uint64_t graph_hash_of(const Graph *graph, const Tree *tree, uint32_t node);
/* The node with that hash and mover, or NODE_NONE. */
uint32_t graph_find(const Graph *graph, const Tree *tree, uint64_t hash, Color mover);
/* Sets the hash beside a node. Enters the node into the table, unless it is the root, the table has
 * a node with this hash and mover already, or there is no memory. */
void graph_add(Graph *graph, const Tree *tree, uint32_t node, uint64_t hash);
/* Fills the table again from `count` nodes of the tree, in their order, or from all nodes if
 * `nodes` is NULL. */
void graph_rebuild(Graph *graph, const Tree *tree, const uint32_t *nodes, size_t count);

/* The state of the method in a search. */
typedef struct {
    Graph graph;
    /* Hash of the root. The root has none beside its node unless it was a child before. */
    uint64_t root_hash;
} GraphState;

extern const SearchMethod METHOD_GRAPH;
