#include "search/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

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

int graph_repetition_bound(const Position *position, int most) {
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
    for (int at = 0; at < flood.count && stones + flood.count <= most; at++) {
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
    memcpy(&hash, (unsigned char *)tree_side(tree, node) + graph->hash_at, sizeof hash);
    return hash;
}

/* The slot of the node with that hash and mover, or the empty one where it belongs. */
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

/* At most half of the slots are taken. */
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

void graph_add(Graph *graph, Tree *tree, uint32_t node, uint64_t hash) {
    memcpy((unsigned char *)tree_side(tree, node) + graph->hash_at, &hash, sizeof hash);
    if (!node || !make_room(graph, tree, graph->node_count + 1)) return;
    uint32_t *slot = slot_of(graph, tree, hash, (Color)tree->nodes[node].mover);
    if (*slot) return; /* it has a twin already */
    *slot = node;
    graph->node_count++;
}

void graph_rebuild(Graph *graph, Tree *tree, const uint32_t *nodes, size_t count) {
    graph_clear(graph);
    for (size_t i = 0; i < (nodes ? count : tree->node_count); i++) {
        uint32_t node = nodes ? nodes[i] : (uint32_t)i;
        uint64_t hash = graph_hash_of(graph, tree, node);
        if (hash) graph_add(graph, tree, node, hash);
    }
}

size_t graph_order(const Tree *tree, uint32_t *out) {
    typedef struct {
        uint32_t node;
        uint16_t edge; /* the next to go along */
    } Visit;
    Visit *stack;
    bool *seen;
    size_t count = 0, depth = 1;
    if (!tree->node_count || mem_new(tree->node_count, sizeof *stack, &stack, NULL)) return 0;
    if (mem_new(tree->node_count, sizeof *seen, &seen, NULL)) {
        free(stack);
        return 0;
    }
    stack[0] = (Visit){0, 0};
    seen[0] = true;
    while (depth) {
        Visit *top = &stack[depth - 1];
        const Node *node = &tree->nodes[top->node];
        if (top->edge == node->child_count) {
            out[count++] = top->node;
            depth--;
            continue;
        }
        uint32_t child = tree->edges[node->edges + top->edge++].child;
        if (seen[child]) continue;
        seen[child] = true;
        stack[depth++] = (Visit){child, 0};
    }
    free(seen);
    free(stack);
    return count;
}
