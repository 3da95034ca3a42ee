#include "search/methods/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "search/core/search_private.h"

void graph_clear(Graph *graph) {
    graph->node_count = 0;
    if (graph->slots) memset(graph->slots, 0, graph->slot_count * sizeof *graph->slots);
}

void graph_free(Graph *graph) {
    free(graph->slots);
    *graph = (Graph){0};
}

typedef struct {
    const Board *board;
    int16_t queue[BOARD_POINTS_MAX];
    bool seen[POINT_COUNT];
    int count;
} Flood;

static void reach(Flood *flood, Point point) {
    if (flood->board->color[point] != COLOR_EMPTY || flood->seen[point]) return;
    flood->seen[point] = true;
    flood->queue[flood->count++] = (int16_t)point;
}

int graph_repetition_bound(const Position *position, int max) {
    const Board *board = &position->board;
    Point last = position_last_move(position, 0).point;
    Flood flood = {.board = board};
    if (last == POINT_NONE || last == POINT_PASS) return 0;
    Color color = (Color)board->color[last];
    int stones = 0;
    if (color == COLOR_EMPTY) {
        reach(&flood, last);
    } else {
        Point stone = last;
        do {
            for (int i = 0; i < 4; i++)
                reach(&flood, stone + POINT_STEPS[i]);
            stones++;
            stone = board->chain_next[stone];
        } while (stone != last);
    }
    for (int at = 0; at < flood.count && stones + flood.count <= max; at++) {
        for (int i = 0; i < 4; i++)
            reach(&flood, flood.queue[at] + POINT_STEPS[i]);
    }
    return stones + flood.count;
}

uint64_t graph_hash(const Graph *graph, uint64_t before, const Position *position) {
    uint64_t state = position_state_hash(position);
    if (graph_repetition_bound(position, graph->bound) <= graph->bound)
        state += hash_mix(before ^ 0x6772617068u);
    return state | 1;
}

uint64_t graph_hash_of(const Graph *graph, const Tree *tree, uint32_t node) {
    uint64_t hash;
    memcpy(&hash, (unsigned char *)tree_method_data(tree, node) + graph->hash_at, sizeof hash);
    return hash;
}

/* Returns the slot of the node with this hash and mover. If there is no such node, returns the
 * empty slot where it belongs. */
static uint32_t *slot_of(const Graph *graph, const Tree *tree, uint64_t hash, Color mover) {
    size_t at = (size_t)hash_mix(hash) & (graph->slot_count - 1);
    while (graph->slots[at] && (graph_hash_of(graph, tree, graph->slots[at]) != hash ||
                                tree->nodes[graph->slots[at]].mover != (uint8_t)mover))
        at = (at + 1) & (graph->slot_count - 1);
    return &graph->slots[at];
}

uint32_t graph_find(const Graph *graph, const Tree *tree, uint64_t hash, Color mover) {
    uint32_t found = graph->slot_count ? *slot_of(graph, tree, hash, mover) : 0;
    return found ? found : NODE_NONE;
}

/* Makes room for `nodes` nodes; at most half of the slots are in use. */
static bool make_room(Graph *graph, const Tree *tree, size_t nodes) {
    size_t slots = graph->slot_count ? graph->slot_count : 64, old_count = graph->slot_count;
    while (slots < 2 * nodes)
        slots *= 2;
    uint32_t *fresh, *old = graph->slots;
    if (slots == old_count) return true;
    if (mem_new(slots, sizeof *fresh, &fresh, NULL)) return false;
    graph->slots = fresh;
    graph->slot_count = slots;
    for (size_t i = 0; i < old_count; i++) {
        uint32_t node = old[i];
        if (node)
            *slot_of(graph, tree, graph_hash_of(graph, tree, node),
                     (Color)tree->nodes[node].mover) = node;
    }
    free(old);
    return true;
}

void graph_add(Graph *graph, const Tree *tree, uint32_t node, uint64_t hash) {
    memcpy((unsigned char *)tree_method_data(tree, node) + graph->hash_at, &hash, sizeof hash);
    if (!node || !make_room(graph, tree, graph->node_count + 1)) return;
    uint32_t *slot = slot_of(graph, tree, hash, (Color)tree->nodes[node].mover);
    if (*slot) return; /* another node has this hash already */
    *slot = node;
    graph->node_count++;
}

void graph_rebuild(Graph *graph, const Tree *tree, const uint32_t *nodes, size_t count) {
    graph_clear(graph);
    for (size_t i = 0; i < (nodes ? count : tree->node_count); i++) {
        uint32_t node = nodes ? nodes[i] : (uint32_t)i;
        uint64_t hash = graph_hash_of(graph, tree, node);
        if (hash) graph_add(graph, tree, node, hash);
    }
}

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->graph.on;
}

static size_t node_bytes(const SearchSettings *settings) {
    (void)settings;
    return sizeof(uint64_t);
}

static void configure(Search *search, const MethodUse *use) {
    GraphState *state = use->state;
    state->graph.hash_at = use->node_at;
    state->graph.bound = search->settings.graph.repetition_bound;
    search->tree.shared = search->spare.shared = use->on;
}

static bool begin(Search *search, const MethodUse *use) {
    GraphState *state = use->state;
    state->root_hash = position_state_hash(&search->root) | 1;
    return !search->avoids; /* avoided moves depend on the depth of the node */
}

/* If the position already has a node, makes the edge lead to it. Otherwise gives the edge's new
 * node its hash. */
static void share_node(Search *search, GraphState *state, const PendingLeaf *leaf, uint32_t from,
                       Edge *edge) {
    Tree *tree = &search->tree;
    Graph *graph = &state->graph;
    uint64_t before = graph_hash_of(graph, tree, from);
    uint64_t hash = graph_hash(graph, before ? before : state->root_hash, &leaf->position);
    /* in another place of the tree, this position may be the end of the game */
    if (leaf->goes_on) hash ^= 0x676f6573206f6e00u;
    uint32_t found = graph_find(graph, tree, hash, leaf->position.mover);
    if (found == NODE_NONE) {
        graph_add(graph, tree, edge->child, hash);
        return;
    }
    if (edge->child == tree->node_count - 1) tree->node_count--;
    edge->child = found;
}

/* Returns whether the descent ends at the child of the edge. Then the edge counts the visit, but
 * the child does not. The descent ends if the child is already on the path. It also ends if the
 * child has more visits than the edge, with two exceptions: the descent goes on if the edge does
 * not count the visit, and it goes on with the probability search.graph.catch_up_leak. */
static bool arrive(Search *search, const MethodUse *use, const PendingLeaf *leaf, uint32_t from,
                   Edge *edge) {
    GraphState *state = use->state;
    const Tree *tree = &search->tree;
    double leak = search->settings.graph.catch_up_leak;
    if (!graph_hash_of(&state->graph, tree, edge->child))
        share_node(search, state, leaf, from, edge);
    for (int i = 0; i < leaf->depth; i++) {
        if (leaf->path[i] == edge->child) return true;
    }
    bool looks = leaf->weightless[leaf->depth - 1] || leaf->counts_from == leaf->depth;
    if (looks || edge->visits >= tree->nodes[edge->child].visits) return false;
    return leak <= 0 || rng_uniform(&search->rng) >= leak;
}

static void moved(Search *search, const MethodUse *use, const Tree *left, const Tree *kept) {
    (void)left;
    GraphState *state = use->state;
    if (kept && search->settings.graph.on) graph_rebuild(&state->graph, kept, NULL, 0);
}

static void recomputed(Search *search, const MethodUse *use, const uint32_t *order, size_t count) {
    GraphState *state = use->state;
    if (search->settings.graph.on) graph_rebuild(&state->graph, &search->tree, order, count);
}

static void forget(Search *search, const MethodUse *use, bool all) {
    (void)search;
    if (all) graph_clear(&((GraphState *)use->state)->graph);
}

static void free_state(void *state) {
    graph_free(&((GraphState *)state)->graph);
}

const SearchMethod METHOD_GRAPH = {.name = "graph search",
                                   .is_on = is_on,
                                   .memory_eighths = 1,
                                   .state_bytes = sizeof(GraphState),
                                   .node_bytes = node_bytes,
                                   .configure = configure,
                                   .begin = begin,
                                   .arrive = arrive,
                                   .moved = moved,
                                   .recomputed = recomputed,
                                   .forget = forget,
                                   .free = free_state};
