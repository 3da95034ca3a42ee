#include "search/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "search/methods.h"
#include "search/root_policy.h"
#include "search/search_private.h"
#include "search/utility.h"

Status search_new(const SearchSettings *settings, uint64_t seed, Search **out, Error *err) {
    Search *search;
    *out = NULL;
    Status status = mem_new(1, sizeof *search, &search, err);
    if (status) return status;
    utility_prepare();
    search->rng = rng_seeded(seed);
    status = search_set_settings(search, settings, err);
    if (status)
        search_free(search);
    else
        *out = search;
    return status;
}

void search_free_lane(Lane *lane) {
    for (int i = 0; i < SLOTS_MOST; i++) {
        if (lane->slots[i]) position_clear(&lane->slots[i]->position);
        free(lane->slots[i]);
    }
}

void search_free(Search *search) {
    if (!search) return;
    search_free_lane(&search->lane);
    search_free_crew(search);
    position_clear(&search->root);
    tree_free(&search->tree);
    tree_free(&search->spare);
    search_free_ownership(search);
    bias_free(&search->bias);
    repeats_free(&search->repeats);
    graph_free(&search->graph);
    free(search);
}

void search_seed(Search *search, uint64_t seed) {
    search->rng = rng_seeded(seed);
}

Status search_set_settings(Search *search, const SearchSettings *settings, Error *err) {
    Status status = search_settings_check(settings, err);
    if (status) return status;
    if (!search_settings_keep_tree(&search->settings, settings)) search_clear_tree(search);
    bool more = settings->root_symmetries > search->settings.root_symmetries &&
                search_root_visits(search) > 0;
    search->settings = *settings;
    if (search->root_stale || more) search->root_stale = search_root_is_stale(search);
    if (settings->gumbel) gumbel_override(&search->settings);
    search->frame.settings = &search->settings;
    bool kept = search->tree.node_count && search->tree.nodes[0].visits;
    if (kept && !search->has_human && search_wants_human(search, search->root.mover, 0))
        search->root_stale = true;
    search_set_methods(search);
    return OK;
}

void search_set_shapes(Search *search, const RepeatTable *shapes) {
    const RepeatTable *wanted = shapes && shapes->count ? shapes : NULL;
    if (wanted == search->shapes) return;
    search_clear_tree(search);
    search->shapes = wanted;
    search_set_methods(search);
}

static void drop_tree(Search *search) {
    tree_clear(&search->tree);
    search_forget_ownership(search);
    search->has_ownership = search->has_ending = search->root_stale = search->has_human = false;
    search->lane.waiting = 0;
    search->gumbel.count = 0;
    search->refusal = NULL;
}

void search_clear_tree(Search *search) {
    drop_tree(search);
    bias_clear(&search->bias);
    graph_clear(&search->graph);
}

Status search_set_position(Search *search, const Position *root, Error *err) {
    search_clear_tree(search);
    search->hint = POINT_NONE;
    search->begun = false;
    search->frame.edge = sqrt((double)root->board.width * root->board.height);
    search->tree.move_count = root->board.width * root->board.height + 1;
    return position_copy(&search->root, root, err);
}

const Position *search_position(const Search *search) {
    return &search->root;
}

/* The child that a move leads to, or NODE_NONE. */
static uint32_t child_of(const Search *search, Point point) {
    const Tree *tree = &search->tree;
    int index = move_index(point, search->root.board.width, search->root.board.height);
    for (uint32_t i = 0; tree->node_count && i < tree->nodes[0].child_count; i++) {
        const Edge *edge = &tree->edges[tree->nodes[0].edges + i];
        if (edge->move == index) return edge->child;
    }
    return NODE_NONE;
}

/* What was left behind is forgotten but for a share; what is kept stays whole. */
static void keep_bias(Search *search) {
    double share = (double)search->settings.bias_free_share;
    if (!search->frame.bias) return;
    bias_release(&search->bias, &search->tree, share);
    bias_release(&search->bias, &search->spare, -share);
}

Status search_play(Search *search, Point point, bool keep_tree, Error *err) {
    /* what was avoided there was so by its distance from the old root */
    bool keep = keep_tree && !search->avoids;
    uint32_t child = keep ? child_of(search, point) : NODE_NONE;
    Status status = position_play(&search->root, point, err);
    if (status) return status;
    bool kept = child != NODE_NONE && search->tree.nodes[child].state == NODE_EXPANDED &&
                tree_extract(&search->tree, child, &search->spare);
    search->begun = false;
    search->hint = POINT_NONE;
    if (!kept) {
        search_clear_tree(search);
        return OK;
    }
    keep_bias(search);
    drop_tree(search);
    Tree old = search->tree;
    search->tree = search->spare;
    search->spare = old;
    if (search->settings.graph) graph_rebuild(&search->graph, &search->tree, NULL, 0);
    tree_get_policy(&search->tree, 0, search->raw_policy);
    search->root_stale = search_root_is_stale(search);
    return OK;
}

/* The root's priors: temperature and noise over the raw policy. */
static bool prepare_root(Search *search) {
    const SearchSettings *s = &search->settings;
    float values[MOVES_MAX], policy[MOVES_MAX];
    int moves[MOVES_MAX], count = 0, all = search->tree.move_count;
    double temperature = interpolate_early(
        (double)s->root_temperature, (double)s->root_temperature_early,
        (double)s->temperature_halflife, search->root.move_count, search->frame.edge);
    search_root_policy(search, policy);
    for (int i = 0; i < all; i++) {
        if (policy[i] < 0) continue;
        values[count] = policy[i];
        moves[count++] = i;
    }
    root_policy_temper(values, count, temperature);
    if (s->root_noise) root_policy_add_noise(s, values, count, &search->rng);
    for (int i = 0; i < count; i++)
        policy[moves[i]] = values[i];
    if (search->hint != POINT_NONE) search_apply_hint(search, policy);
    if (search->mirror.player != COLOR_EMPTY) search_change_priors(search, &search->root, policy);
    if (!tree_set_policy(&search->tree, 0, policy, true)) return false;
    if (s->root_symmetry_pruning || s->prune_useless_moves) tree_drop_illegal(&search->tree);
    return true;
}

int64_t search_playouts(const Search *search) {
    if (!search->tree.split) return search->playouts;
    return search->playouts + search_crew_playouts(search);
}

int64_t search_visits_left(const Search *search, int64_t visits) {
    const SearchLimits *limits = &search->limits;
    int64_t left = limits->visits - (visits ? visits : 1) - search->skipped;
    int64_t playouts = limits->playouts - search_playouts(search) - search->skipped -
                       !visits; /* the root's own evaluation is one */
    if (left < 0) left = 0;
    if (playouts < 0) playouts = 0;
    if (!limits->playouts) return limits->visits ? left : -1;
    return limits->visits && left < playouts ? left : playouts;
}

void search_skip_round(Search *search) {
    if (!search->settings.gumbel || search->settings.gumbel_stop_confidence <= 0 ||
        !search->gumbel.count)
        return;
    int64_t skipped = gumbel_skip(&search->gumbel, &search->frame, &search->tree) -
                      gumbel_draw_out(&search->gumbel, &search->frame, &search->tree);
    search->skipped += skipped;
    if (search->tree.split)
        atomic_fetch_add_explicit(&search->crew->visits, skipped, memory_order_relaxed);
}

static void prepare_gumbel(Search *search) {
    float policy[MOVES_MAX];
    if (!search->settings.gumbel) return;
    search_root_policy(search, policy);
    gumbel_begin(&search->gumbel, &search->frame, &search->tree, policy,
                 search_visits_left(search, search_root_visits(search)), &search->rng);
}

/* Where the dynamic utility of score is centred: what is expected now, drawn to 0 but not too far.
 */
static void set_center(Search *search, double expected) {
    const SearchSettings *s = &search->settings;
    double center = expected * (1 - (double)s->score_center_zero_weight),
           cap = search->frame.edge * (double)s->score_center_scale;
    search->frame.center = fmin(fmax(center, expected - cap), expected + cap);
}

static void recompute_one(Search *search, uint32_t index) {
    Tree *tree = &search->tree;
    Node *node = &tree->nodes[index];
    if (node->state == NODE_WAITING) node->state = NODE_NEW;
    for (uint32_t k = 0; k < node->child_count; k++)
        tree->edges[node->edges + k].waiting = 0;
    if (!node->visits) return;
    puct_set_own_utility(&search->frame, node);
    puct_recompute(&search->frame, tree, index, index == 0);
}

/* Averages of the whole tree, with a new center; descents that were given up are forgotten, and
 * nodes that the root led to by moves that it looks at no more. */
static void recompute_all(Search *search) {
    Tree *tree = &search->tree;
    uint32_t *order = NULL;
    size_t count = 0;
    if ((search->settings.graph || tree->was_split) &&
        !mem_new(tree->node_count, sizeof *order, &order, NULL))
        count = graph_order(tree, order);
    for (size_t k = 0; k < count; k++)
        recompute_one(search, order[k]);
    if (count && search->settings.graph) graph_rebuild(&search->graph, tree, order, count);
    for (uint32_t i = (uint32_t)tree->node_count; !count && i-- > 0;)
        recompute_one(search, i); /* children before their parents */
    free(order);
}

static bool limit_reached(const Search *search) {
    int64_t more = search->lane.waiting + search->skipped;
    int64_t visits = search_root_visits(search) + more, playouts = search->playouts + more;
    return (search->limits.visits && visits >= search->limits.visits) ||
           (search->limits.playouts && playouts >= search->limits.playouts);
}

static int64_t scaled_limit(int64_t limit, double factor) {
    int64_t scaled = (int64_t)((double)limit * factor);
    return limit > 0 && scaled < 1 ? 1 : scaled;
}

/* A pass that ended the game below the old root does so no more at this one. */
static bool pass_is_outdated(const Search *search) {
    uint32_t pass = search->settings.conservative_pass ? child_of(search, POINT_PASS) : NODE_NONE;
    return pass != NODE_NONE && search->tree.nodes[pass].state == NODE_TERMINAL;
}

void search_begin(Search *search, const SearchLimits *limits) {
    double factor = search_pass_factor(search);
    search->limits = *limits;
    if (factor != 1) {
        search->limits.visits = scaled_limit(limits->visits, factor);
        search->limits.playouts = scaled_limit(limits->playouts, factor);
    }
    search->playouts = search->skipped = 0;
    search->lane.waiting = 0;
    search->begun = true;
    if (search->settings.ignore_history) search->root.valid_turns = 0;
    search->at_root = search_settings_options(&search->settings, search->root.mover, true);
    search->at_root.symmetries = search->settings.root_symmetries;
    search->at_root.human = search_wants_human(search, search->root.mover, 0);
    search->below = search_settings_options(&search->settings, search->root.mover, false);
    if (search->grown_doublings != search->below.white_doublings || pass_is_outdated(search))
        search_clear_tree(search);
    search_prepare_methods(search);
    if (search->human && search->root_stale && limit_reached(search))
        search_clear_tree(search); /* nobody would be asked what people play */
    search->grown_doublings = search->below.white_doublings;
    Tree *tree = &search->tree;
    tree->full = false;
    search->gumbel.count = 0;
    if (!tree->node_count || tree->nodes[0].state != NODE_EXPANDED) {
        search_clear_tree(search);
        return;
    }
    set_center(search, (double)tree->nodes[0].score_mean);
    if (!prepare_root(search)) return;
    recompute_all(search);
    prepare_gumbel(search);
}

Slot *search_slot(Lane *lane, int index) {
    if (!lane->slots[index] && !mem_new(1, sizeof **lane->slots, &lane->slots[index], NULL))
        lane->slots[index]->share = &lane->share;
    return lane->slots[index];
}

EvaluationRequest search_request(const Search *search, const Slot *slot) {
    EvaluationRequest request = {&slot->position,
                                 slot->depth == 1 ? search->at_root : search->below};
    if (search->human_in && slot->depth > 1)
        request.options.human = search_wants_human(search, slot->position.mover, slot->depth - 1);
    return request;
}

/* The kept root, to be evaluated once more. */
static int collect_root(Search *search, EvaluationRequest *leaves) {
    Slot *slot = search_slot(&search->lane, 0);
    if (!slot || position_copy(&slot->position, &search->root, NULL)) return 0;
    slot->path[0] = 0;
    slot->depth = 1;
    search->lane.waiting = 1;
    leaves[0] = (EvaluationRequest){&slot->position, search->at_root};
    return 1;
}

int search_collect(Search *search, EvaluationRequest *leaves, int capacity) {
    int count = 0;
    Tree *tree = &search->tree;
    if (!search->begun) return 0;
    if (search->root_stale && capacity > 0 && !limit_reached(search))
        return collect_root(search, leaves);
    if (!tree->node_count && tree_add(tree, search->root.mover) == NODE_NONE) return 0;
    int room = capacity < SLOTS_MOST ? capacity : SLOTS_MOST;
    for (int tries = 0; tries < TRIES_MOST && count < room && !limit_reached(search) && !tree->full;
         tries++) {
        search_skip_round(search);
        if (limit_reached(search)) break;
        Slot *slot = search_slot(&search->lane, count);
        if (!slot) break;
        Descent descent = search_descend(search, slot);
        if (descent == DESCENT_BUSY || descent == DESCENT_NONE) break;
        if (descent == DESCENT_VISIT) {
            search_back_up(search, slot);
            if (search->keeps_ownership) search_add_ownership(search, slot, NULL);
        }
        if (descent != DESCENT_LEAF) continue;
        leaves[count++] = search_request(search, slot);
        search->lane.waiting = count;
    }
    return count;
}

/* What is kept of the root's evaluation besides its value. */
static bool expand_root(Search *search, const Evaluation *evaluation) {
    size_t moves = (size_t)search->tree.move_count;
    memcpy(search->raw_policy, evaluation->policy, moves * sizeof *search->raw_policy);
    if (search->settings.passing_hacks)
        search_cap_pass(search->raw_policy, search->tree.move_count);
    if (!prepare_root(search)) return false;
    prepare_gumbel(search);
    search->has_ownership = evaluation->has_ownership;
    if (evaluation->has_ownership)
        memcpy(search->ownership, evaluation->ownership, (moves - 1) * sizeof *search->ownership);
    search_set_ending(search);
    if (search->at_root.human) search_set_human(search, 0, evaluation);
    return true;
}

static bool set_policy(Search *search, const Slot *slot, const float *policy) {
    float left[MOVES_MAX];
    uint32_t at = slot->path[slot->depth - 1];
    if (!search->avoids && !search_changes_priors(search))
        return tree_set_policy_in(&search->tree, slot->share, at, policy, false);
    memcpy(left, policy, (size_t)search->tree.move_count * sizeof *left);
    search_change_priors(search, &slot->position, left);
    if (search->avoids)
        search_avoid_moves(search, (Color)search->tree.nodes[at].mover, slot->depth - 1, left);
    return tree_set_policy_in(&search->tree, slot->share, at, left, false);
}

/* The evaluation becomes the node's own value and its policy. */
static bool expand(Search *search, const Slot *slot, const Evaluation *evaluation) {
    Tree *tree = &search->tree;
    uint32_t at = slot->path[slot->depth - 1];
    Node *node = &tree->nodes[at];
    double side = side_of(node);
    node->own_win_loss = (float)(side * (double)(evaluation->win - evaluation->loss));
    node->own_no_result = evaluation->no_result;
    node->own_score_mean = (float)(side * (double)evaluation->score_mean);
    node->own_score_mean_sq = evaluation->score_mean_sq;
    node->own_lead = (float)(side * (double)evaluation->lead);
    if (at == 0) set_center(search, (double)node->own_score_mean);
    search_set_beside(search, slot, evaluation);
    puct_set_own_utility(&search->frame, node);
    node->own_weight = (float)puct_leaf_weight(
        &search->frame, (double)evaluation->shortterm_winloss_error,
        (double)evaluation->shortterm_score_error, (double)node->own_score_mean);
    bool fits = at ? set_policy(search, slot, evaluation->policy) : expand_root(search, evaluation);
    if (!fits) return false;
    node->state = NODE_EXPANDED;
    return true;
}

bool search_take(Search *search, const Slot *slot, const Evaluation *evaluation) {
    Tree *tree = &search->tree;
    uint32_t at = slot->path[slot->depth - 1];
    tree_lock(tree, at);
    bool expanded = expand(search, slot, evaluation);
    if (!expanded) tree->nodes[at].state = NODE_NEW;
    tree_unlock(tree, at);
    if (!expanded) {
        search_give_up(search, slot, slot->depth - 1);
        return false;
    }
    search_back_up(search, slot);
    if (search->keeps_ownership) search_add_ownership(search, slot, evaluation);
    return true;
}

void search_receive(Search *search, const Evaluation *evaluations, int count) {
    if (search->root_stale && count) {
        search->root_stale = false;
        search->lane.waiting = 0;
        if (expand_root(search, evaluations))
            puct_recompute(&search->frame, &search->tree, 0, true);
        return;
    }
    for (int i = 0; i < count; i++)
        search_take(search, search->lane.slots[i], &evaluations[i]);
    search->lane.waiting = 0;
    if (search->settings.gumbel_over_search > 1) search_skip_round(search);
}

const char *search_refusal(const Search *search) {
    return search->refusal;
}

bool search_done(const Search *search) {
    return search->lane.waiting == 0 && (limit_reached(search) || search->tree.full);
}

bool search_tree_full(const Search *search) {
    return search->tree.full;
}

int64_t search_root_visits(const Search *search) {
    return search->tree.node_count ? search->tree.nodes[0].visits : 0;
}

int search_leaves_of(const Search *search, int64_t visits) {
    int64_t grown = 1 + visits / search->settings.leaf_visits;
    return grown < search->settings.leaves ? (int)grown : search->settings.leaves;
}

int search_leaves(const Search *search) {
    return search_leaves_of(search, search_root_visits(search));
}

size_t search_node_bytes(const Search *search, int64_t *nodes) {
    if (nodes) *nodes = (int64_t)search->tree.node_count;
    return tree_bytes(&search->tree);
}
