#include "search/methods/value_bias.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "search/core/search_private.h"

void bias_clear(BiasTable *table) {
    table->entry_count = 0;
    if (table->slots) memset(table->slots, 0, table->slot_count * sizeof *table->slots);
}

void bias_free(BiasTable *table) {
    free(table->entries);
    free(table->slots);
    *table = (BiasTable){0};
}

uint64_t bias_key(const Position *position) {
    Move last = position_last_move(position, 0), before = position_last_move(position, 1);
    if (last.point == POINT_NONE || last.point == POINT_PASS || before.point == POINT_NONE)
        return 0;
    const Board *board = position_previous(position, 0);
    uint64_t hash = hash_mix((uint64_t)last.point << 20 ^ (uint64_t)before.point << 2 ^ last.color);
    int x = point_x(last.point), y = point_y(last.point);
    for (int dy = -2; dy <= 2; dy++) {
        uint64_t row = 0;
        for (int dx = -2; dx <= 2; dx++) {
            bool on = x + dx >= 0 && x + dx < board->width && y + dy >= 0 && y + dy < board->height;
            Point point = on ? point_at(x + dx, y + dy) : POINT_NONE;
            uint64_t seen = on ? board->color[point] : COLOR_WALL;
            bool stone = on && (seen == COLOR_BLACK || seen == COLOR_WHITE);
            if (stone && board_liberties(board, point) == 1) seen |= 4;
            row = row << 3 | seen;
        }
        hash = hash_mix(hash ^ row);
    }
    return hash_mix(hash ^ (uint64_t)board->ko << 32) | 1;
}

static uint32_t *slot_of(const BiasTable *table, uint64_t key) {
    size_t at = (size_t)key & (table->slot_count - 1);
    while (table->slots[at] && table->entries[table->slots[at] - 1].key != key)
        at = (at + 1) & (table->slot_count - 1);
    return &table->slots[at];
}

/* Makes room for one more entry; at most half of the slots are in use. */
static bool make_room(BiasTable *table) {
    size_t wanted = table->entry_count + 1, slots = table->slot_count ? table->slot_count : 64;
    while (slots < 2 * wanted)
        slots *= 2;
    if (wanted * sizeof *table->entries + slots * sizeof *table->slots > table->limit_bytes)
        return false;
    if (mem_grow(&table->entries, &table->entry_capacity, wanted, sizeof *table->entries, NULL))
        return false;
    if (slots == table->slot_count) return true;
    uint32_t *fresh;
    if (mem_new(slots, sizeof *fresh, &fresh, NULL)) return false;
    free(table->slots);
    table->slots = fresh;
    table->slot_count = slots;
    for (size_t i = 0; i < table->entry_count; i++)
        *slot_of(table, table->entries[i].key) = (uint32_t)i + 1;
    return true;
}

uint32_t bias_entry(BiasTable *table, uint64_t key) {
    if (!key) return 0;
    uint32_t found = table->slot_count ? *slot_of(table, key) : 0;
    if (found || !make_room(table)) return found;
    table->entries[table->entry_count] = (BiasEntry){.key = key};
    return *slot_of(table, key) = (uint32_t)++table->entry_count;
}

double bias_correct(BiasTable *table, NodeBias *node, double own, double weight, double mean) {
    if (!node->entry) return 0;
    BiasEntry *entry = &table->entries[node->entry - 1];
    if (weight > 0) {
        float fraction = (float)pow(weight, table->weight_exponent),
              sum = (float)((double)fraction * (mean - own));
        entry->sum += (double)sum - (double)node->sum;
        entry->weight += (double)fraction - (double)node->weight;
        node->sum = sum;
        node->weight = fraction;
    }
    return entry->weight > 0.001 ? table->factor * entry->sum / entry->weight : 0;
}

static NodeBias *bias_of(const BiasTable *table, const Tree *tree, uint32_t node) {
    return (NodeBias *)(void *)((unsigned char *)tree_method_data(tree, node) + table->node_at);
}

void bias_release(BiasTable *table, const Tree *tree, double fraction) {
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const NodeBias *node = bias_of(table, tree, i);
        if (!node->entry) continue;
        table->entries[node->entry - 1].sum -= fraction * (double)node->sum;
        table->entries[node->entry - 1].weight -= fraction * (double)node->weight;
    }
}

void bias_sweep(BiasTable *table, Tree *tree) {
    uint32_t *places;
    size_t kept = 0;
    if (!table->entry_count || mem_new(table->entry_count, sizeof *places, &places, NULL)) return;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        const NodeBias *node = bias_of(table, tree, i);
        if (node->entry) places[node->entry - 1] = 1;
    }
    for (size_t i = 0; i < table->entry_count; i++) {
        if (!places[i]) continue;
        table->entries[kept++] = table->entries[i];
        places[i] = (uint32_t)kept;
    }
    for (uint32_t i = 0; i < tree->node_count; i++) {
        NodeBias *node = bias_of(table, tree, i);
        if (node->entry) node->entry = places[node->entry - 1];
    }
    bias_clear(table);
    table->entry_count = kept;
    for (size_t i = 0; i < kept; i++)
        *slot_of(table, table->entries[i].key) = (uint32_t)i + 1;
    free(places);
}

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->bias.factor > 0;
}

static size_t node_bytes(const SearchSettings *settings) {
    (void)settings;
    return sizeof(NodeBias);
}

static void configure(Search *search, const MethodUse *use) {
    BiasTable *table = use->state;
    const SearchSettings *s = &search->settings;
    table->factor = s->bias.factor;
    table->weight_exponent = s->bias.weight_exponent;
    table->node_at = use->node_at;
    /* The tree and the spare tree use one table. Each of the two trees leaves an eighth of its
     * memory to the method (memory_eighths), so the table gets two eighths. */
    if (use->on) table->limit_bytes = ((size_t)s->tree_memory_mb << 19) / 4;
}

static bool begin(Search *search, const MethodUse *use) {
    /* another method may have changed the settings in force */
    if (search->frame.settings->bias.factor <= 0) return false;
    bias_sweep(use->state, &search->tree);
    return true;
}

static void expanded(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                     const Evaluation *evaluation) {
    (void)evaluation;
    uint32_t at = leaf->path[leaf->depth - 1];
    if (at)
        bias_of(use->state, &search->tree, at)->entry =
            bias_entry(use->state, bias_key(&leaf->position));
}

/* Corrects the node's own value by the error of its entry. As in KataGo, the weight of the error is
 * the weight that the children had before pruning. */
static void sum(const MethodUse *use, const NodeUpdate *update, NodeSums *sums) {
    const Tree *tree = update->tree;
    const Node *node = &tree->nodes[update->at];
    double weight = 0, value = 0, unpruned = 0, own = (double)node->own_utility,
           w = (double)node->own_weight;
    if (node->state == NODE_TERMINAL) return;
    for (int i = 0; i < node->child_count; i++)
        unpruned += (double)tree->edges[node->edges + (uint32_t)i].weight;
    for (int i = 0; i < update->count; i++) {
        weight += update->children[i].weight;
        value += update->children[i].weight * (double)update->children[i].edge->utility;
    }
    double by = bias_correct(use->state, bias_of(use->state, tree, update->at), own,
                             weight > 0 ? unpruned : 0, weight > 0 ? value / weight : 0);
    sums->utility += w * by;
    sums->utility_sq += w * (by * by + 2 * by * own);
}

/* Forgets a fraction of what the nodes that left the tree had added. What the kept nodes have added
 * stays. */
static void moved(Search *search, const MethodUse *use, const Tree *left, const Tree *kept) {
    double fraction = search->settings.bias.free_fraction;
    if (!use->active || !kept) return;
    bias_release(use->state, left, fraction);
    bias_release(use->state, kept, -fraction);
}

static void forget(Search *search, const MethodUse *use, bool all) {
    (void)search;
    if (all) bias_clear(use->state);
}

static void free_state(void *state) {
    bias_free(state);
}

const SearchMethod METHOD_BIAS = {.name = "subtree value bias correction",
                                  .is_on = is_on,
                                  .memory_eighths = 1,
                                  .state_bytes = sizeof(BiasTable),
                                  .node_bytes = node_bytes,
                                  .configure = configure,
                                  .begin = begin,
                                  .expanded = expanded,
                                  .sum = sum,
                                  .moved = moved,
                                  .forget = forget,
                                  .free = free_state};
