/* graph.h - graph search: several parents share a node if different orders of moves lead to the
 * same position. Two positions are the same if their states are equal. If a repetition may come
 * soon, the paths to the positions must be equal too. KataGo, docs/GraphSearch.md,
 * cpp/game/graphhash.cpp. The method data of a node hold its hash. Threading: confined. */
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
/* Returns a lower bound on the number of moves until the last move can be repeated. The bound is
 * the number of stones of the chain of that move, plus the number of points of the empty regions
 * that the chain touches. After a suicide it is the number of points of the empty region around the
 * move. Counting stops above `max`. The bound is 0 if the last move was a pass, or if there is no
 * last move. */
int graph_repetition_bound(const Position *position, int max);
/* Returns the hash of a position whose parent has the hash `before`. If a repetition takes more
 * moves than graph->bound, the hash depends only on the state; otherwise it depends on `before`
 * too. It is never 0. */
uint64_t graph_hash(const Graph *graph, uint64_t before, const Position *position);
/* Returns the hash in the data of a node, or 0 if it is not set yet. */
uint64_t graph_hash_of(const Graph *graph, const Tree *tree, uint32_t node);
/* The node with that hash and mover, or NODE_NONE. */
uint32_t graph_find(const Graph *graph, const Tree *tree, uint64_t hash, Color mover);
/* Sets the hash in the data of a node, and enters the node into the table. The node is not entered
 * if it is the root, if the table already has a node with this hash and mover, or if there is no
 * memory. */
void graph_add(Graph *graph, const Tree *tree, uint32_t node, uint64_t hash);
/* Fills the table again from `count` nodes of the tree, in their order, or from all nodes if
 * `nodes` is NULL. */
void graph_rebuild(Graph *graph, const Tree *tree, const uint32_t *nodes, size_t count);

/* The state of the method in a search. */
typedef struct {
    Graph graph;
    /* The hash of the root. The data of the root hold a hash only if the root was a child
     * before. */
    uint64_t root_hash;
} GraphState;

extern const SearchMethod METHOD_GRAPH;
