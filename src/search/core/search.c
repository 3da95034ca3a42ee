#include "search/core/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "search/core/search_private.h"
#include "search/select/root_policy.h"
#include "search/select/utility.h"

Status search_new_with(const SearchMethod *const *methods, const SearchSettings *settings,
                       uint64_t seed, Search **out, Error *err) {
    Search *search;
    *out = NULL;
    Status status = mem_new(1, sizeof *search, &search, err);
    if (status) return status;
    utility_prepare();
    search->rng = rng_seeded(seed);
    search->frame.methods = &search->methods;
    status = method_set_init(&search->methods, methods, err);
    if (!status) status = search_set_settings(search, settings, err);
    if (status)
        search_free(search);
    else
        *out = search;
    return status;
}

void search_free(Search *search) {
    if (!search) return;
    search_free_thread(&search->first_thread);
    search_free_thread_group(search);
    position_clear(&search->root);
    tree_free(&search->tree);
    tree_free(&search->spare);
    method_set_free(&search->methods);
    free(search);
}

void search_seed(Search *search, uint64_t seed) {
    search->rng = rng_seeded(seed);
}

/* Returns what the methods together require of a kept root: the largest of their RootNeeds. */
static RootNeed need_of_methods(const Search *search) {
    RootNeed max = ROOT_IS_FINE;
    for (int i = 0; i < search->methods.count; i++) {
        const MethodUse *use = &search->methods.all[i];
        const SearchMethod *method = use->method;
        if (!method->root_need || !method->is_on(&search->settings, use->state)) continue;
        RootNeed need = method->root_need(search, use);
        if (need > max) max = need;
    }
    return max;
}

/* Whether a kept root must be evaluated again. One reason is that it was an inner node when it was
 * evaluated, and the options of evaluations differ at a root, or the ownership of the root is
 * wanted, which the search does not store for inner nodes. The other reason is that a method needs
 * its evaluation once more. */
static bool root_is_stale(const Search *search) {
    const SearchSettings *s = &search->settings;
    return s->root_policy_optimism != s->policy_optimism || s->root_symmetries > s->symmetries ||
           need_of_methods(search) != ROOT_IS_FINE || search_fills_dame(search) ||
           (s->conservative_pass && position_pass_would_end_game(&search->root));
}

Status search_set_settings(Search *search, const SearchSettings *settings, Error *err) {
    Status status = search_settings_check(settings, err);
    if (status) return status;
    if (!search_settings_keep_tree(&search->settings, settings)) search_reset(search);
    bool more =
        settings->root_symmetries > search->settings.root_symmetries && search_visits(search) > 0;
    search->settings = *settings;
    if (search->root_stale || more) search->root_stale = root_is_stale(search);
    if (settings->gumbel.on) gumbel_override(&search->settings);
    search->frame.settings = &search->settings;
    if (search_visits(search) && need_of_methods(search) == ROOT_LACKS) search->root_stale = true;
    search_configure_methods(search);
    return OK;
}

void search_clear_tree(Search *search) {
    search_reset(search);
}

/* Calls the `moved` hooks. `kept` is the part of the tree that stays, or NULL. */
static void move_methods(Search *search, const Tree *kept) {
    for (int i = 0; i < search->methods.count; i++) {
        const MethodUse *use = &search->methods.all[i];
        if (use->method->moved) use->method->moved(search, use, &search->tree, kept);
    }
}

Status search_set_position(Search *search, const Position *root, Error *err) {
    search_reset(search);
    move_methods(search, NULL);
    search->begun = false;
    search->frame.board_scale = sqrt((double)root->board.width * root->board.height);
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

Status search_play(Search *search, Point point, bool keep_tree, Error *err) {
    /* Avoided moves depend on the distance from the old root. Moves of weaker play are only those
     * that it draws, and not those that an old tree has visited. */
    bool keep = keep_tree && !search->avoids && !search_settings_draw(&search->settings);
    uint32_t child = keep ? child_of(search, point) : NODE_NONE;
    Status status = position_play(&search->root, point, err);
    if (status) return status;
    bool kept = child != NODE_NONE && search->tree.nodes[child].state == NODE_EXPANDED &&
                tree_extract(&search->tree, child, &search->spare);
    search->begun = false;
    move_methods(search, kept ? &search->spare : NULL);
    if (!kept) {
        search_reset(search);
        return OK;
    }
    search_drop_nodes(search);
    Tree old = search->tree;
    search->tree = search->spare;
    search->spare = old;
    tree_get_policy(&search->tree, 0, search->raw_policy);
    search->root_stale = root_is_stale(search);
    return OK;
}

/* Sets the priors of the root. They come from the raw policy of the moves that the root may search;
 * temperature, noise and methods change them. Returns false if the tree is full. */
static bool prepare_root(Search *search) {
    const SearchSettings *s = &search->settings;
    float values[MOVES_MAX], policy[MOVES_MAX];
    int moves[MOVES_MAX], count = 0, all = search->tree.move_count;
    double temperature =
        interpolate_early(s->root_temperature, s->root_temperature_early, s->temperature_halflife,
                          search->root.move_count, search->frame.board_scale);
    search_root_policy(search, policy);
    for (int i = 0; i < all; i++) {
        if (policy[i] < 0) continue;
        values[count] = policy[i];
        moves[count++] = i;
    }
    root_policy_temper(values, count, temperature);
    if (s->noise.on) root_policy_add_noise(s, values, count, &search->rng);
    for (int i = 0; i < count; i++)
        policy[moves[i]] = values[i];
    const MethodList *methods = &search->methods.root_priors;
    for (int i = 0; i < methods->count; i++)
        methods->uses[i]->method->root_priors(search, methods->uses[i], policy);
    if (!tree_set_policy(&search->tree, 0, policy, true)) return false;
    if (s->root_symmetry_pruning || s->prune_useless_moves) tree_drop_illegal(&search->tree);
    return true;
}

void search_adapt_round(Search *search) {
    if (!search->settings.gumbel.on || search->settings.gumbel.stop_confidence <= 0 ||
        !search->gumbel.count)
        return;
    int64_t skipped = gumbel_end_round(&search->gumbel, &search->frame, &search->tree) -
                      gumbel_extend_round(&search->gumbel, &search->frame, &search->tree);
    search->skipped += skipped;
    if (search->tree.split)
        atomic_fetch_add_explicit(&search->group->visits, skipped, memory_order_relaxed);
}

/* Marks moves into eyes of the mover as illegal. */
static void forbid_own_eyes(const Search *search, float *policy) {
    const Board *board = &search->root.board;
    for (int i = 0; i < board->width * board->height; i++) {
        Point point = move_at_index(i, board->width, board->height);
        if (policy[i] >= 0 && board_is_eye(board, point, search->root.mover)) policy[i] = -1;
    }
}

static bool has_move(const float *policy, int count) {
    for (int i = 0; i < count; i++) {
        if (policy[i] >= 0) return true;
    }
    return false;
}

static void prepare_gumbel(Search *search) {
    float policy[MOVES_MAX];
    if (!search->settings.gumbel.on) return;
    search_root_policy(search, policy);
    if (search_settings_draw(&search->settings)) forbid_own_eyes(search, policy);
    if (!has_move(policy, search->tree.move_count)) search_root_policy(search, policy);
    gumbel_begin(&search->gumbel, &search->frame, &search->tree, policy,
                 search_visits_left(search, search_visits(search)), &search->rng);
}

/* Sets the center of the dynamic utility of score. The center is the expected score, moved towards
 * 0 by a limited distance. */
static void set_center(Search *search, double expected) {
    const SearchSettings *s = &search->settings;
    double center = expected * (1 - s->score_center_zero_weight),
           cap = search->frame.board_scale * s->score_center_scale;
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

/* Computes the averages of the whole tree again, because the center of the score utility has moved.
 * If the last search ended while nodes waited for their evaluations, these nodes become new again
 * (NODE_NEW). No descent counts as under way any more. In a tree with shared nodes, some nodes may
 * be out of reach because moves of the root were removed; graph search forgets these nodes. */
static void recompute_all(Search *search) {
    Tree *tree = &search->tree;
    uint32_t *order = NULL;
    size_t count = 0;
    if ((tree->shared || tree->was_split) &&
        !mem_new(tree->node_count, sizeof *order, &order, NULL))
        count = tree_order(tree, order);
    for (size_t k = 0; k < count; k++)
        recompute_one(search, order[k]);
    for (int i = 0; count && i < search->methods.count; i++) {
        const MethodUse *use = &search->methods.all[i];
        if (use->method->recomputed) use->method->recomputed(search, use, order, count);
    }
    for (uint32_t i = (uint32_t)tree->node_count; !count && i-- > 0;)
        recompute_one(search, i); /* children come before their parents */
    free(order);
}

static bool limit_reached(const Search *search) {
    int64_t more = search->first_thread.waiting + search->skipped;
    int64_t visits = search_visits(search) + more, playouts = search->playouts + more;
    return (search->limits.visits && visits >= search->limits.visits) ||
           (search->limits.playouts && playouts >= search->limits.playouts);
}

static int64_t scaled_limit(int64_t limit, double factor) {
    int64_t scaled = (int64_t)((double)limit * factor);
    return limit > 0 && scaled < 1 ? 1 : scaled;
}

/* Whether the root has a child after a pass, and this child is stored as the end of the game. This
 * was right while the root was an inner node; but with conservative_pass, a pass at the root does
 * not end the game. */
static bool pass_is_outdated(const Search *search) {
    uint32_t pass = search->settings.conservative_pass ? child_of(search, POINT_PASS) : NODE_NONE;
    return pass != NODE_NONE && search->tree.nodes[pass].state == NODE_TERMINAL;
}

/* Adds what methods ask for to the evaluation options of a node. */
static void request_for_methods(const Search *search, Color mover, int depth,
                                EvaluationOptions *options) {
    const MethodList *requests = &search->methods.requests;
    for (int i = 0; i < requests->count; i++)
        requests->uses[i]->method->request(search, requests->uses[i], mover, depth, options);
}

/* Sets the options of this search's evaluations, and finds the methods that are active in it.
 * Clears the tree if it does not fit them. */
static void prepare_evaluations(Search *search) {
    Color mover = search->root.mover;
    search->root_options = search_settings_options(&search->settings, mover, true);
    search->root_options.symmetries = search->settings.root_symmetries;
    search->below = search_settings_options(&search->settings, mover, false);
    if (search->tree_doublings != search->below.white_doublings || pass_is_outdated(search))
        search_reset(search);
    search_begin_methods(search);
    request_for_methods(search, mover, 0, &search->root_options);
    if (search->root_options.human && search->root_stale && limit_reached(search))
        search_reset(search); /* otherwise the search ends before the root has a human policy */
    search->tree_doublings = search->below.white_doublings;
}

void search_begin(Search *search, const SearchLimits *limits) {
    double factor = search_pass_factor(search);
    search->limits = *limits;
    if (factor != 1) {
        search->limits.visits = scaled_limit(limits->visits, factor);
        search->limits.playouts = scaled_limit(limits->playouts, factor);
    }
    search->playouts = search->skipped = 0;
    search->changes = (RootChanges){0};
    search->first_thread.waiting = 0;
    search->begun = true;
    if (search->settings.ignore_history) search->root.valid_turns = 0;
    prepare_evaluations(search);
    Tree *tree = &search->tree;
    tree->full = false;
    search->gumbel.count = 0;
    if (!tree->node_count || tree->nodes[0].state != NODE_EXPANDED) {
        search_reset(search);
        return;
    }
    set_center(search, (double)tree->nodes[0].score_mean);
    if (!prepare_root(search)) return;
    recompute_all(search);
    prepare_gumbel(search);
}

PendingLeaf *search_pending_leaf(SearchThread *thread, int index) {
    if (!thread->leaves[index] &&
        !mem_new(1, sizeof **thread->leaves, &thread->leaves[index], NULL))
        thread->leaves[index]->slab = &thread->slab;
    return thread->leaves[index];
}

EvaluationRequest search_request(const Search *search, const PendingLeaf *leaf) {
    EvaluationRequest request = {&leaf->position,
                                 leaf->depth == 1 ? search->root_options : search->below};
    if (leaf->depth > 1)
        request_for_methods(search, leaf->position.mover, leaf->depth - 1, &request.options);
    return request;
}

/* Hands out the kept root, which must be evaluated again. */
static int collect_root(Search *search, EvaluationRequest *leaves) {
    PendingLeaf *leaf = search_pending_leaf(&search->first_thread, 0);
    if (!leaf || position_copy(&leaf->position, &search->root, NULL)) return 0;
    leaf->path[0] = 0;
    leaf->depth = 1;
    search->first_thread.waiting = 1;
    leaves[0] = (EvaluationRequest){&leaf->position, search->root_options};
    return 1;
}

int search_collect(Search *search, EvaluationRequest *leaves, int capacity) {
    int count = 0;
    Tree *tree = &search->tree;
    if (!search->begun) return 0;
    if (search->root_stale && capacity > 0 && !limit_reached(search))
        return collect_root(search, leaves);
    if (!tree->node_count && tree_add(tree, search->root.mover) == NODE_NONE) return 0;
    int room = capacity < PENDING_LEAVES_MAX ? capacity : PENDING_LEAVES_MAX;
    for (int tries = 0; tries < TRIES_MAX && count < room && !limit_reached(search) && !tree->full;
         tries++) {
        search_adapt_round(search);
        if (limit_reached(search)) break;
        PendingLeaf *leaf = search_pending_leaf(&search->first_thread, count);
        if (!leaf) break;
        Descent descent = search_descend(search, leaf);
        if (descent == DESCENT_BUSY || descent == DESCENT_NONE) break;
        if (descent == DESCENT_VISIT) {
            search_back_up(search, leaf, NULL);
            if (search->settings.gumbel.over_search > 1) search_adapt_round(search);
        }
        if (descent != DESCENT_LEAF) continue;
        leaves[count++] = search_request(search, leaf);
        search->first_thread.waiting = count;
    }
    return count;
}

/* Lets the methods change the policy of a new node. */
static void change_priors(const Search *search, const Position *position, bool root,
                          float *policy) {
    const MethodList *priors = &search->methods.priors;
    for (int i = 0; i < priors->count; i++)
        priors->uses[i]->method->priors(search, priors->uses[i], position, root, policy);
}

/* Takes from the root's evaluation what a root has besides values: policy, ownership and the data
 * of methods. Returns false if the tree is full. */
static bool expand_root(Search *search, const Evaluation *evaluation) {
    size_t moves = (size_t)search->tree.move_count;
    memcpy(search->raw_policy, evaluation->policy, moves * sizeof *search->raw_policy);
    change_priors(search, &search->root, true, search->raw_policy);
    if (!prepare_root(search)) return false;
    prepare_gumbel(search);
    search->has_ownership = evaluation->has_ownership;
    if (evaluation->has_ownership)
        memcpy(search->ownership, evaluation->ownership, (moves - 1) * sizeof *search->ownership);
    const MethodList *methods = &search->methods.root_expanded;
    for (int i = 0; i < methods->count; i++)
        methods->uses[i]->method->root_expanded(search, methods->uses[i], evaluation);
    return true;
}

static bool set_policy(Search *search, const PendingLeaf *leaf, const float *policy) {
    float left[MOVES_MAX];
    uint32_t at = leaf->path[leaf->depth - 1];
    if (!search->avoids && !search->methods.priors.count)
        return tree_set_policy_in(&search->tree, leaf->slab, at, policy, false);
    memcpy(left, policy, (size_t)search->tree.move_count * sizeof *left);
    change_priors(search, &leaf->position, false, left);
    if (search->avoids)
        search_avoid_moves(search, (Color)search->tree.nodes[at].mover, leaf->depth - 1, left);
    return tree_set_policy_in(&search->tree, leaf->slab, at, left, false);
}

/* Returns the weight of an evaluation, which depends on the error that the settings choose. */
static float leaf_weight(Search *search, bool root, const Evaluation *evaluation,
                         double score_mean) {
    const SearchSettings *s = &search->settings;
    if (!s->uncertainty.on || s->uncertainty.error == ERROR_SHORTTERM)
        return (float)puct_leaf_weight(&search->frame, (double)evaluation->shortterm_winloss_error,
                                       (double)evaluation->shortterm_score_error, score_mean);
    if (root && evaluation->value_error < 0)
        search->refusal = "search.uncertainty.error = value needs a net with the head value_error, "
                          "and this net has none";
    return (float)puct_leaf_weight(&search->frame, (double)evaluation->value_error, 0, score_mean);
}

/* Stores the evaluation as the node's own values and its policy. Returns false if the tree is
 * full. */
static bool expand_leaf(Search *search, const PendingLeaf *leaf, const Evaluation *evaluation) {
    Tree *tree = &search->tree;
    uint32_t at = leaf->path[leaf->depth - 1];
    Node *node = &tree->nodes[at];
    double side = side_of(node);
    node->own_win_loss = (float)(side * (double)(evaluation->win - evaluation->loss));
    node->own_no_result = evaluation->no_result;
    node->own_score_mean = (float)(side * (double)evaluation->score_mean);
    node->own_score_mean_sq = evaluation->score_mean_sq;
    node->own_lead = (float)(side * (double)evaluation->lead);
    if (at == 0) set_center(search, (double)node->own_score_mean);
    const MethodList *methods = &search->methods.expanded;
    for (int i = 0; i < methods->count; i++)
        methods->uses[i]->method->expanded(search, methods->uses[i], leaf, evaluation);
    puct_set_own_utility(&search->frame, node);
    node->own_weight = leaf_weight(search, at == 0, evaluation, (double)node->own_score_mean);
    bool fits = at ? set_policy(search, leaf, evaluation->policy) : expand_root(search, evaluation);
    if (!fits) return false;
    node->state = NODE_EXPANDED;
    return true;
}

bool search_receive_leaf(Search *search, const PendingLeaf *leaf, const Evaluation *evaluation) {
    Tree *tree = &search->tree;
    uint32_t at = leaf->path[leaf->depth - 1];
    tree_lock(tree, at);
    bool expanded = expand_leaf(search, leaf, evaluation);
    if (!expanded) tree->nodes[at].state = NODE_NEW;
    tree_unlock(tree, at);
    if (!expanded) {
        search_abandon_path(search, leaf, leaf->depth - 1);
        return false;
    }
    search_back_up(search, leaf, evaluation);
    return true;
}

void search_receive(Search *search, const Evaluation *evaluations, int count) {
    if (search->root_stale && count) {
        search->root_stale = false;
        search->first_thread.waiting = 0;
        if (expand_root(search, evaluations))
            puct_recompute(&search->frame, &search->tree, 0, true);
        return;
    }
    for (int i = 0; i < count; i++)
        search_receive_leaf(search, search->first_thread.leaves[i], &evaluations[i]);
    search->first_thread.waiting = 0;
    if (search->settings.gumbel.over_search > 1) search_adapt_round(search);
}

const char *search_refusal(const Search *search) {
    return search->refusal;
}

bool search_done(const Search *search) {
    return search->first_thread.waiting == 0 && (limit_reached(search) || search->tree.full);
}

bool search_tree_full(const Search *search) {
    return search->tree.full;
}

int64_t search_root_visits(const Search *search) {
    return search_visits(search);
}

int search_leaves_of(const Search *search, int64_t visits) {
    int64_t grown = 1 + visits / search->settings.leaf_visits;
    return grown < search->settings.leaves ? (int)grown : search->settings.leaves;
}

int search_leaves(const Search *search) {
    return search_leaves_of(search, search_visits(search));
}

size_t search_node_bytes(const Search *search, int64_t *nodes) {
    if (nodes) *nodes = (int64_t)search->tree.node_count;
    return tree_bytes(&search->tree);
}

size_t search_method_bytes(const Search *search) {
    return search->tree.method_bytes;
}
