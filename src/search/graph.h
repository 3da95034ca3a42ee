/* graph.h - nodes that several parents share: positions that moves in another order lead to. Which
 * are the same is told by the state, and by the path as long as moves can be repeated soon. KataGo,
 * docs/GraphSearch.md, cpp/game/graphhash.cpp. The hash of each node is kept beside it. Threading:
 * confined. */
#pragma once
#include "go/position.h"
#include "search/method_set.h"

typedef struct {
    uint32_t *slots; /* open addressing: a node's place; 0: empty (the root is never shared) */
    size_t slot_count, node_count;
    size_t hash_at; /* where the hash is kept beside a node */
    int bound;
} Graph;

void graph_clear(Graph *graph); /* keeps the memory */
void graph_free(Graph *graph);
/* Moves that it takes at least until the last move is repeated: the stones of its chain and the
 * empty points of the regions that it touches; of a suicide, that region. Counting ends above
 * `most`. 0: it was a pass. */
int graph_repetition_bound(const Position *position, int most);
/* The hash of a position whose parent has the hash `before`: the state's, when the bound is passed
 * by the last move; else `before` goes in too. Never 0. */
uint64_t graph_hash(const Graph *graph, uint64_t before, const Position *position);
uint64_t graph_hash_of(const Graph *graph, const Tree *tree, uint32_t node); /* 0: not known */
/* The node with that hash and mover; NODE_NONE. */
uint32_t graph_find(const Graph *graph, const Tree *tree, uint64_t hash, Color mover);
/* Sets the hash of a node that is not known yet; it can be found where there is room. */
void graph_add(Graph *graph, const Tree *tree, uint32_t node, uint64_t hash);
/* Of these nodes of the tree, in their order; NULL: of all. */
void graph_rebuild(Graph *graph, const Tree *tree, const uint32_t *nodes, size_t count);

/* The state of the method in a search. */
typedef struct {
    Graph graph;
    uint64_t root_hash; /* where the root's own is not known */
} GraphState;

extern const SearchMethod METHOD_GRAPH;
