#include "search/methods/avoid_repeats.h"

#include "search/core/search.h"
#include "search/core/search_private.h"

void search_set_shapes(Search *search, const RepeatTable *shapes) {
    RepeatsState *state = search_state_of(search, &METHOD_REPEATS);
    const RepeatTable *wanted = shapes && shapes->count ? shapes : NULL;
    if (wanted == state->shapes) return;
    search_reset(search);
    state->shapes = wanted;
    search_configure_methods(search);
}

static bool is_on(const SearchSettings *settings, const void *state) {
    return settings->avoid_repeats != 0 || ((const RepeatsState *)state)->shapes;
}

static size_t node_bytes(const SearchSettings *settings) {
    (void)settings;
    return sizeof(NodeRepeat);
}

static NodeRepeat *repeat_of(const MethodUse *use, const Tree *tree, uint32_t node) {
    return method_node(use, tree, node);
}

/* Gathers the shapes that count as repeats in this search, and updates the nodes of the kept
 * tree. */
static bool begin(Search *search, const MethodUse *use) {
    RepeatsState *state = use->state;
    Tree *tree = &search->tree;
    Color of = search->limits.pondering ? color_other(search->root.mover) : search->root.mover;
    if (state->table.of != of) search_reset(search);
    repeats_gather(&state->table, state->shapes, &search->root, of, search->settings.avoid_repeats);
    for (uint32_t i = 1; i < tree->node_count; i++)
        repeats_refresh(&state->table, (Color)tree->nodes[i].mover, repeat_of(use, tree, i));
    return true;
}

static void expanded(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                     const Evaluation *evaluation) {
    (void)evaluation;
    const RepeatsState *state = use->state;
    uint32_t at = leaf->path[leaf->depth - 1];
    if (at) *repeat_of(use, &search->tree, at) = repeats_of_node(&state->table, &leaf->position);
}

/* Adds a bonus to the average utility of the node: the bonus for the move that led to the node. */
static void updated(const MethodUse *use, const NodeUpdate *update) {
    Node *node = &update->tree->nodes[update->at];
    if (update->root) return;
    double bonus = (double)repeat_of(use, update->tree, update->at)->bonus,
           before = (double)node->utility, after = before + bonus;
    if (bonus == 0) return;
    node->utility = (float)after;
    node->utility_sq = (float)((double)node->utility_sq + after * after - before * before);
}

static void free_state(void *state) {
    repeats_free(&((RepeatsState *)state)->table);
}

const SearchMethod METHOD_REPEATS = {.name = "repeated shapes",
                                     .is_on = is_on,
                                     .state_bytes = sizeof(RepeatsState),
                                     .node_bytes = node_bytes,
                                     .begin = begin,
                                     .expanded = expanded,
                                     .updated = updated,
                                     .free = free_state};
