#include "search/search.h"
#include "base/memory.h"
#include "search/root_policy.h"
#include "search/search_private.h"
#include "search/utility.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

Status search_new(const SearchSettings *settings, uint64_t seed, Search **out, Error *err) {
    Search *search;
    *out = NULL;
    Status status = mem_new(1, sizeof *search, &search, err);
    if (status) return status;
    search->rng = rng_seeded(seed);
    status = search_set_settings(search, settings, err);
    if (status) search_free(search);
    else *out = search;
    return status;
}

void search_free(Search *search) {
    if (!search) return;
    for (int i = 0; i < SLOTS_MOST; i++) {
        if (search->slots[i]) position_clear(&search->slots[i]->position);
        free(search->slots[i]);
    }
    position_clear(&search->root);
    tree_free(&search->tree);
    tree_free(&search->spare);
    free(search);
}

/* Settings that enter the values of nodes. */
static bool same_values(const SearchSettings *a, const SearchSettings *b) {
    return a->win_loss_factor == b->win_loss_factor && a->static_score_factor == b->static_score_factor && a->dynamic_score_factor == b->dynamic_score_factor && a->uncertainty == b->uncertainty &&
           a->no_result_utility_for_white == b->no_result_utility_for_white && a->draw_equivalent_wins_for_white == b->draw_equivalent_wins_for_white && a->value_weight_exponent == b->value_weight_exponent;
}

Status search_set_settings(Search *search, const SearchSettings *settings, Error *err) {
    if (settings->tree_memory_mb < 1) return fail(err, ERR_ARGUMENT, "search.tree_memory_mb is %lld", (long long)settings->tree_memory_mb);
    if (!same_values(&search->settings, settings)) search_clear_tree(search);
    search->settings = *settings;
    search->frame.settings = &search->settings;
    search->tree.limit_bytes = search->spare.limit_bytes = (size_t)settings->tree_memory_mb << 20;
    return OK;
}

void search_clear_tree(Search *search) {
    tree_clear(&search->tree);
    search->root_prepared = search->has_ownership = false;
    search->waiting = 0;
}

Status search_set_position(Search *search, const Position *root, Error *err) {
    search_clear_tree(search);
    search->begun = false;
    search->frame.edge = sqrt((double)root->board.width * root->board.height);
    return position_copy(&search->root, root, err);
}

const Position *search_position(const Search *search) {
    return &search->root;
}

/* The child that a move leads to; UINT32_MAX: none. */
static uint32_t child_of(const Search *search, Point point) {
    const Node *node = search->tree.nodes;
    int index = move_index(point, search->root.board.width, search->root.board.height);
    for (uint32_t i = 0; search->tree.node_count && i < node->child_count; i++) {
        if (search->tree.priors[node->priors + i].move == index) return search->tree.edges[node->edges + i].child;
    }
    return UINT32_MAX;
}

Status search_play(Search *search, Point point, bool keep_tree, Error *err) {
    uint32_t child = keep_tree ? child_of(search, point) : UINT32_MAX;
    Status status = position_play(&search->root, point, err);
    if (status) return status;
    bool kept = child != UINT32_MAX && search->tree.nodes[child].state == NODE_EXPANDED && tree_extract(&search->tree, child, &search->spare);
    search_clear_tree(search);
    if (!kept) return OK;
    Tree old = search->tree;
    search->tree = search->spare;
    search->spare = old;
    return OK;
}

/* Keeps the raw policy, then temperature and noise; the moves that have children stay first. */
static void prepare_root(Search *search) {
    Tree *tree = &search->tree;
    Node *root = tree->nodes;
    PriorMove *priors = tree->priors + root->priors;
    int area = search->root.board.width * search->root.board.height, count = root->prior_count, children = root->child_count;
    for (int i = 0; i <= area; i++) search->raw_policy[i] = -1;
    float values[MOVES_MAX];
    for (int i = 0; i < count; i++) {
        search->raw_policy[priors[i].move] = priors[i].prior;
        values[i] = priors[i].prior;
    }
    const SearchSettings *s = &search->settings;
    double temperature = interpolate_early((double)s->root_temperature, (double)s->root_temperature_early, (double)s->temperature_halflife, search->root.move_count, search->frame.edge);
    root_policy_temper(values, count, temperature);
    if (s->root_noise) root_policy_add_noise(s, values, count, &search->rng);
    for (int i = 0; i < count; i++) priors[i].prior = values[i];
    qsort(priors + children, (size_t)(count - children), sizeof *priors, tree_compare_priors);
    search->root_prepared = true;
}

/* Where the dynamic utility of score is centred: what is expected now, drawn to 0 but not too far. */
static void set_center(Search *search, double expected) {
    const SearchSettings *s = &search->settings;
    double center = expected * (1 - (double)s->score_center_zero_weight), cap = search->frame.edge * (double)s->score_center_scale;
    search->frame.center = fmin(fmax(center, expected - cap), expected + cap);
}

void search_begin(Search *search, const SearchLimits *limits) {
    search->limits = *limits;
    search->playouts = 0;
    search->waiting = 0;
    search->begun = true;
    Tree *tree = &search->tree;
    tree->full = false;
    if (!tree->node_count || tree->nodes[0].state != NODE_EXPANDED) {
        search_clear_tree(search);
        return;
    }
    set_center(search, (double)tree->nodes[0].score_mean);
    prepare_root(search);
    for (uint32_t i = (uint32_t)tree->node_count; i-- > 0;) { /* parents come before their children */
        for (uint32_t k = 0; k < tree->nodes[i].child_count; k++) tree->edges[tree->nodes[i].edges + k].waiting = 0;
        puct_recompute(&search->frame, tree, i, i == 0);
    }
}

static Slot *slot_at(Search *search, int index) {
    if (!search->slots[index]) (void)!mem_new(1, sizeof **search->slots, &search->slots[index], NULL);
    return search->slots[index];
}

static void count_waiting(Search *search, const Slot *slot, int by) {
    for (int i = 0; i + 1 < slot->depth; i++) {
        search->tree.edges[search->tree.nodes[slot->path[i]].edges + (uint32_t)slot->edges[i]].waiting += by;
    }
}

/* Counts a visit along the path and brings the averages up to date from the leaf to the root. */
static void back_up(Search *search, const Slot *slot) {
    Tree *tree = &search->tree;
    for (int i = slot->depth - 1; i >= 0; i--) {
        Node *node = &tree->nodes[slot->path[i]];
        node->visits++;
        if (i + 1 < slot->depth) tree->edges[node->edges + (uint32_t)slot->edges[i]].visits++;
        puct_recompute(&search->frame, tree, slot->path[i], i == 0);
    }
    search->playouts++;
}

/* The square of a final score whose draws are split: the score jittered by half a point. */
static double gridded_square(double score, double draw_wins) {
    if (score != floor(score)) return score * score;
    double low = (score - 0.5) * (score - 0.5), high = (score + 0.5) * (score + 0.5);
    return low + (high - low) * draw_wins;
}

static void set_terminal(Search *search, Node *node, const Position *position) {
    const Outcome *outcome = &position->outcome;
    double draw = (double)search->settings.draw_equivalent_wins_for_white, wins = outcome->winner == COLOR_WHITE ? 1 : outcome->winner == COLOR_BLACK ? 0 : draw;
    double score = (double)outcome->white_score;
    node->state = NODE_TERMINAL;
    node->own_weight = search->settings.uncertainty ? search->settings.uncertainty_max_weight : 1;
    if (outcome->no_result) {
        node->own_no_result = 1;
        return;
    }
    bool whole = score == floor(score);
    node->own_win_loss = (float)(2 * wins - 1);
    node->own_score_mean_sq = (float)gridded_square(score, draw);
    node->own_score_mean = node->own_lead = (float)(whole ? score + draw - 0.5 : score);
}

typedef enum { DESCENT_LEAF, DESCENT_TERMINAL, DESCENT_STUCK } Descent;

/* From the root to a node without evaluation. */
static Descent descend(Search *search, Slot *slot) {
    Tree *tree = &search->tree;
    uint32_t at = 0;
    slot->depth = 0;
    if (position_copy(&slot->position, &search->root, NULL)) return DESCENT_STUCK;
    Position *position = &slot->position;
    for (;;) {
        slot->path[slot->depth++] = at;
        Node *node = &tree->nodes[at];
        if (node->state == NODE_NEW && position->over && at) set_terminal(search, node, position);
        if (node->state == NODE_TERMINAL) return DESCENT_TERMINAL;
        if (node->state == NODE_NEW) return DESCENT_LEAF;
        if (node->state == NODE_WAITING || slot->depth == DEPTH_MOST) return DESCENT_STUCK;
        int edge = puct_select(&search->frame, tree, at, at == 0);
        if (edge < 0) return DESCENT_STUCK;
        if (edge == node->child_count) {
            edge = tree_add_child(tree, at, color_other(position->mover));
            if (edge < 0) return DESCENT_STUCK;
            node = &tree->nodes[at];
        }
        slot->edges[slot->depth - 1] = (int16_t)edge;
        int move = tree->priors[node->priors + (uint32_t)edge].move;
        at = tree->edges[node->edges + (uint32_t)edge].child;
        if (position_play(position, move_at_index(move, position->board.width, position->board.height), NULL)) return DESCENT_STUCK;
    }
}

static bool limit_reached(const Search *search) {
    int64_t visits = search_root_visits(search) + search->waiting, playouts = search->playouts + search->waiting;
    return (search->limits.visits && visits >= search->limits.visits) || (search->limits.playouts && playouts >= search->limits.playouts);
}

int search_collect(Search *search, const Position **leaves, int capacity) {
    int count = 0;
    Tree *tree = &search->tree;
    if (!search->begun) return 0;
    if (!tree->node_count && tree_add(tree, search->root.mover) == UINT32_MAX) return 0;
    int room = capacity < SLOTS_MOST ? capacity : SLOTS_MOST;
    while (count < room && !limit_reached(search) && !tree->full) {
        Slot *slot = slot_at(search, count);
        if (!slot) break;
        Descent descent = descend(search, slot);
        if (descent == DESCENT_STUCK) break;
        if (descent == DESCENT_TERMINAL) {
            back_up(search, slot);
            continue;
        }
        tree->nodes[slot->path[slot->depth - 1]].state = NODE_WAITING;
        count_waiting(search, slot, 1);
        leaves[count++] = &slot->position;
        search->waiting = count;
    }
    return count;
}

/* The evaluation becomes the node's own value and its sorted policy. */
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
    node->own_weight = (float)puct_leaf_weight(&search->frame, (double)evaluation->shortterm_winloss_error, (double)evaluation->shortterm_score_error, (double)node->own_score_mean);
    PriorMove moves[MOVES_MAX];
    int count = 0, area = slot->position.board.width * slot->position.board.height;
    for (int i = 0; i <= area; i++) {
        if (evaluation->policy[i] >= 0) moves[count++] = (PriorMove){evaluation->policy[i], (int16_t)i};
    }
    if (!tree_set_priors(tree, at, moves, count)) return false;
    tree->nodes[at].state = NODE_EXPANDED;
    if (at) return true;
    prepare_root(search);
    search->has_ownership = evaluation->has_ownership;
    if (evaluation->has_ownership) memcpy(search->ownership, evaluation->ownership, (size_t)area * sizeof *search->ownership);
    return true;
}

void search_receive(Search *search, const Evaluation *evaluations, int count) {
    for (int i = 0; i < count; i++) {
        Slot *slot = search->slots[i];
        count_waiting(search, slot, -1);
        if (expand(search, slot, &evaluations[i])) back_up(search, slot);
        else search->tree.nodes[slot->path[slot->depth - 1]].state = NODE_NEW;
    }
    search->waiting = 0;
}

bool search_done(const Search *search) {
    return search->waiting == 0 && (limit_reached(search) || search->tree.full);
}

bool search_tree_full(const Search *search) {
    return search->tree.full;
}

int64_t search_root_visits(const Search *search) {
    return search->tree.node_count ? search->tree.nodes[0].visits : 0;
}

size_t search_node_bytes(const Search *search, int64_t *nodes) {
    if (nodes) *nodes = (int64_t)search->tree.node_count;
    return tree_bytes(&search->tree);
}
