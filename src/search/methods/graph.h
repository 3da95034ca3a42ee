/* graph.h - nodes that several parents share, as moves in another order lead to the same position.
 * Two positions are the same if their states are; as long as moves can be repeated soon, their
 * paths must be the same too. KataGo, docs/GraphSearch.md, cpp/game/graphhash.cpp. The hash of each
 * node is kept beside it. Threading: confined. */
#pragma once
#include "go/position.h"
#include "search/tree/method_set.h"

typedef struct {
    uint32_t *slots; /* open addressing: a node's place; 0: empty (the root is never shared) */
    size_t slot_count, node_count;
    size_t hash_at; /* where the hash is kept beside a node */
    int bound;
} Graph;

void graph_clear(Graph *graph); /* keeps the memory */
void graph_free(Graph *graph);
/* How many moves it takes at least until the last move is repeated: the stones of its chain and the
 * empty points of the regions that it touches; after a suicide, the points of that region. Counting
 * ends above `most`. 0: the last move was a pass. */
int graph_repetition_bound(const Position *position, int max);
/* The hash of a position whose parent has the hash `before`: that of the state alone if a
 * repetition takes more moves than the bound; else `before` goes in too. Never 0. */
uint64_t graph_hash(const Graph *graph, uint64_t before, const Position *position);
uint64_t graph_hash_of(const Graph *graph, const Tree *tree, uint32_t node); /* 0: not known */
/* The node with that hash and mover; NODE_NONE. */
uint32_t graph_find(const Graph *graph, const Tree *tree, uint64_t hash, Color mover);
/* Sets the hash of a node that has none yet. The node can be found from then on if there is
 * room. */
void graph_add(Graph *graph, const Tree *tree, uint32_t node, uint64_t hash);
/* Makes the table anew from these nodes of the tree, in their order; NULL: from all. */
void graph_rebuild(Graph *graph, const Tree *tree, const uint32_t *nodes, size_t count);

/* The state of the method in a search. */
typedef struct {
    Graph graph;
    uint64_t root_hash; /* where the root's own is not known */
} GraphState;

extern const SearchMethod METHOD_GRAPH;
