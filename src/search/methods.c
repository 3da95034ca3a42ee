/* What single methods need when settings change, a search begins and a node is made; nothing of it
 * runs where they are off. */
#include "search/methods.h"

#include <math.h>

#include "search/search_private.h"
#include "search/spread.h"

void search_set_methods(Search *search) {
    const SearchSettings *s = &search->settings;
    size_t bias = s->bias_factor > 0 ? sizeof(NodeBias) : 0, spread = spread_bytes(s),
           graph = s->graph ? sizeof(uint64_t) : 0, human = search_human_bytes(s),
           repeats = s->avoid_repeats != 0 || search->shapes ? sizeof(NodeRepeat) : 0,
           all = bias + spread + graph + human + repeats;
    /* Half for what is kept after a move, so that the two together keep within the limit. */
    size_t half = (size_t)s->tree_memory_mb << 19;
    search->tree.limit_bytes = half;
    if (!s->anti_mirror) search->mirror = (Mirror){0};
    search->frame.bias = bias ? &search->bias : NULL;
    search->frame.spread = spread > 0;
    search->frame.spread_at = bias;
    search->bias.factor = (double)s->bias_factor;
    search->bias.weight_exponent = (double)s->bias_weight_exponent;
    if (bias) { /* an eighth of the memory is the table's */
        search->bias.limit_bytes = half / 4;
        search->tree.limit_bytes -= half / 8;
    }
    if (graph) search->tree.limit_bytes -= half / 8; /* for its slots */
    search->spare.limit_bytes = search->tree.limit_bytes;
    search->graph.hash_at = bias + spread;
    search->human_at = bias + spread + graph;
    search->frame.repeats = repeats > 0;
    search->frame.repeats_at = bias + spread + graph + human;
    search->graph.bound = s->graph_repetition_bound;
    search->tree.shared = search->spare.shared = s->graph;
    if (all == search->tree.side_bytes) return;
    search_clear_tree(search);
    tree_clear(&search->spare);
    tree_set_side(&search->tree, all);
    tree_set_side(&search->spare, all);
}

bool search_root_is_stale(const Search *search) {
    const SearchSettings *s = &search->settings;
    return s->root_policy_optimism != s->policy_optimism || s->root_symmetries > s->symmetries ||
           s->ending_bonus != 0 || search_wants_human(search, search->root.mover, 0) ||
           (s->conservative_pass && position_pass_would_end_game(&search->root));
}

/* KataGo leaves out what reweighs children, so that mirror moves speak for themselves. */
static void look_for_mirror(Search *search) {
    const SearchSettings *s = &search->settings;
    Mirror mirror = {0};
    if (s->anti_mirror) mirror = mirror_detect(&search->root);
    bool mirrors = mirror.player != COLOR_EMPTY;
    if (mirror.player != search->mirror.player) search_clear_tree(search);
    search->mirror = mirror;
    search->frame.settings = mirrors ? &search->mirrored : s;
    search->frame.bias = s->bias_factor > 0 && !mirrors ? &search->bias : NULL;
    if (!mirrors) return;
    search->mirrored = *s;
    search->mirrored.noise_pruning = false;
    search->mirrored.value_weight_exponent = 0;
}

/* Below the root it matters whose moves are whose. */
static void prepare_human(Search *search) {
    search->human = search_wants_human(search, search->root.mover, 0);
    search->human_in = search_human_bytes(&search->settings) > 0;
    if (search->human_in && search->human_of != search->root.mover) search_clear_tree(search);
    search->human_of = search->root.mover;
}

/* Which shapes are repeats in this search, and which nodes of the kept tree they led to. */
static void prepare_repeats(Search *search) {
    Tree *tree = &search->tree;
    Color of = search->limits.pondering ? color_other(search->root.mover) : search->root.mover;
    if (!search->frame.repeats) return;
    if (search->repeats.of != of) search_clear_tree(search);
    repeats_gather(&search->repeats, search->shapes, &search->root, of,
                   (double)search->settings.avoid_repeats);
    for (uint32_t i = 1; i < tree->node_count; i++)
        repeats_refresh(&search->repeats, (Color)tree->nodes[i].mover,
                        repeat_of(&search->frame, tree, i));
}

void search_prepare_methods(Search *search) {
    const SearchSettings *s = &search->settings;
    prepare_human(search);
    prepare_repeats(search);
    if (s->anti_mirror) look_for_mirror(search);
    search->special = s->regret != REGRET_OFF || s->child_stdev_visits > 0 || s->puct_v > 0 ||
                      s->questionable_weight > 0 || search->mirror.player != COLOR_EMPTY;
    search->special_root = search->special || s->wide_root_noise > 0 || s->futile_visits > 0 ||
                           s->ending_bonus != 0 || search->hint != POINT_NONE;
    search->has_ending = search->has_ending && s->ending_bonus != 0;
    search->shares = s->graph && !search->avoids; /* what is avoided depends on the depth */
    if (search->shares) search->root_hash = position_state_hash(&search->root) | 1;
    if (search->frame.bias) bias_sweep(&search->bias, &search->tree);
}

bool search_changes_priors(const Search *search) {
    return search->settings.passing_hacks || search->mirror.player != COLOR_EMPTY;
}

void search_cap_pass(float *policy, int move_count) {
    double rest = 0;
    float *pass = &policy[move_count - 1];
    for (int i = 0; i < move_count - 1; i++)
        rest += policy[i] > 0 ? (double)policy[i] : 0;
    if (rest <= 0 || (double)*pass <= 19 * rest) return;
    for (int i = 0; i < move_count - 1; i++)
        policy[i] = policy[i] < 0 ? -1 : (float)((double)policy[i] / (20 * rest));
    *pass = 0.95f;
}

/* The mirror move and the centre get more prior. */
static void lean_priors(const Search *search, const Position *position, float *policy) {
    const Mirror *mirror = &search->mirror;
    Point last = position_last_move(position, 0).point;
    bool legal = last != POINT_NONE && last != POINT_PASS;
    if (legal)
        legal = policy[move_index(mirror_point(last, mirror->width, mirror->height), mirror->width,
                                  mirror->height)] >= 0;
    for (int i = 0; i < search->tree.move_count; i++) {
        Point point = move_at_index(i, mirror->width, mirror->height);
        if (policy[i] < 0) continue;
        policy[i] += (1 - policy[i]) * (float)mirror_prior_lean(mirror, position, point, legal);
    }
}

void search_change_priors(const Search *search, const Position *position, float *policy) {
    if (search->settings.passing_hacks) search_cap_pass(policy, search->tree.move_count);
    if (search->mirror.player != COLOR_EMPTY) lean_priors(search, position, policy);
}

/* Who owns the centre wins by mirroring. */
static void lean_value(const Search *search, Node *node, const Evaluation *evaluation) {
    const Mirror *mirror = &search->mirror;
    if (mirror->center == POINT_NONE || !evaluation->has_ownership) return;
    float owned = evaluation->ownership[move_index(mirror->center, mirror->width, mirror->height)];
    double decided = 1 - (double)node->own_no_result;
    if (decided <= 0) return;
    node->own_win_loss =
        (float)(decided * mirror_value(mirror, (double)node->own_win_loss / decided,
                                       (double)value_for_white(owned, (Color)node->mover)));
}

void search_set_beside(Search *search, const Slot *slot, const Evaluation *evaluation) {
    Tree *tree = &search->tree;
    uint32_t at = slot->path[slot->depth - 1];
    if (search->mirror.player != COLOR_EMPTY) lean_value(search, &tree->nodes[at], evaluation);
    if (search->frame.bias && at) {
        NodeBias *bias = tree_side(tree, at);
        bias->entry = bias_entry(&search->bias, bias_key(&slot->position));
    }
    if (search->frame.repeats && at)
        *repeat_of(&search->frame, tree, at) = repeats_of_node(&search->repeats, &slot->position);
    Color mover = (Color)tree->nodes[at].mover;
    if (search->human_in && at && search_wants_human(search, mover, slot->depth - 1))
        search_set_human(search, at, evaluation);
    if (!search->frame.spread) return;
    spread_set_own(&search->frame, tree, at, (double)evaluation->shortterm_winloss_error);
    if (evaluation->shortterm_winloss_error < 0)
        search->refusal = "search.regret wants a net with short-term errors, and this one has none";
}

/* Finds the node that the position has already, or makes the edge's own known. */
static void enter(Search *search, const Slot *slot, uint32_t from, Edge *edge) {
    Tree *tree = &search->tree;
    uint64_t before = graph_hash_of(&search->graph, tree, from);
    uint64_t hash =
        graph_hash(&search->graph, before ? before : search->root_hash, &slot->position);
    if (slot->goes_on) hash ^= 0x676f6573206f6e00u; /* where others may see the end of the game */
    uint32_t found = graph_find(&search->graph, tree, hash, slot->position.mover);
    if (found == NODE_NONE) {
        graph_add(&search->graph, tree, edge->child, hash);
        return;
    }
    if (edge->child == tree->node_count - 1) tree->node_count--;
    edge->child = found;
}

bool search_share(Search *search, const Slot *slot, uint32_t from, Edge *edge) {
    const Tree *tree = &search->tree;
    double leak = (double)search->settings.graph_catch_up_leak;
    if (!graph_hash_of(&search->graph, tree, edge->child)) enter(search, slot, from, edge);
    for (int i = 0; i < slot->depth; i++) {
        if (slot->path[i] == edge->child) return true;
    }
    bool looks = slot->weightless[slot->depth - 1] || slot->counts_from == slot->depth;
    if (looks || edge->visits >= tree->nodes[edge->child].visits) return false;
    return leak <= 0 || rng_uniform(&search->rng) >= leak;
}

bool search_pass_goes_on(const Search *search, const Position *position, bool root) {
    const SearchSettings *s = &search->settings;
    return (root && s->conservative_pass) ||
           (s->friendly_pass && position_pass_ends_friendly(position));
}
