#include "search/methods/human.h"

#include <math.h>
#include <string.h>

#include "search/core/search.h"
#include "search/core/search_private.h"
#include "search/methods/ending.h"

/* The probabilities that a visit chooses its move by the human policy, as a visit without weight
 * and as a visit with weight. */
typedef struct {
    double weightless, weightful;
} Chances;

static Chances chances_at(const SearchSettings *s, bool root, bool own) {
    if (root) return (Chances){s->human.root_weightless, s->human.root_weightful};
    if (own) return (Chances){s->human.own_weightless, s->human.own_weightful};
    return (Chances){s->human.other_weightless, s->human.other_weightful};
}

static bool has_chance(const SearchSettings *s, bool root, bool own) {
    Chances chances = chances_at(s, root, own);
    return chances.weightless + chances.weightful > 0;
}

/* Whether the evaluation of a node must have the human policy. `depth` counts plies below the
 * root. */
static bool needs_human_policy(const Search *search, Color mover, int depth) {
    const SearchSettings *s = &search->settings;
    if (depth > 0) return has_chance(s, false, mover == search->root.mover);
    return search_settings_need_human_policy(s);
}

/* The data of a node hold the human policy as one byte for each move: the logarithm to base 2 of
 * the move's probability, in steps of 1/12. The byte 0 means that the move is illegal. */
enum { PRIOR_STEPS = 12, PRIOR_BYTES = (MOVES_MAX + 3) / 4 * 4 };

static uint8_t pack_prior(float prior) {
    if (prior < 0) return 0;
    double level = 255 + round(PRIOR_STEPS * log2(fmax((double)prior, 1e-30)));
    return (uint8_t)fmin(255, fmax(1, level));
}

static float unpack_prior(uint8_t byte) {
    return byte ? (float)exp2((byte - 255.0) / PRIOR_STEPS) : -1;
}

static size_t node_bytes(const SearchSettings *s) {
    return has_chance(s, false, true) || has_chance(s, false, false) ? PRIOR_BYTES : 0;
}

static bool has_human_policy(Search *search, const Evaluation *evaluation) {
    if (!evaluation->has_human)
        search->refusal = "the settings search.human.* need a second net: a net of human play "
                          "(--human-net) and search.human.profile";
    return evaluation->has_human;
}

static void expanded(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                     const Evaluation *evaluation) {
    uint32_t at = leaf->path[leaf->depth - 1];
    Color mover = (Color)search->tree.nodes[at].mover;
    if (!at || !use->node_bytes || !needs_human_policy(search, mover, leaf->depth - 1) ||
        !has_human_policy(search, evaluation))
        return;
    uint8_t *bytes = method_node(use, &search->tree, at);
    for (int i = 0; i < search->tree.move_count; i++)
        bytes[i] = pack_prior(evaluation->human_policy[i]);
}

static void root_expanded(Search *search, const MethodUse *use, const Evaluation *evaluation) {
    HumanState *state = use->state;
    if (!has_human_policy(search, evaluation)) return;
    memcpy(state->policy, evaluation->human_policy,
           (size_t)search->tree.move_count * sizeof *state->policy);
    state->known = true;
}

/* Writes the human policy of a node. Returns false if it is not known. */
static bool get_human_policy(const Search *search, uint32_t at, float *policy) {
    size_t moves = (size_t)search->tree.move_count;
    const MethodUse *use = method_set_find(&search->methods, &METHOD_HUMAN);
    const HumanState *state = use->state;
    if (at == 0) {
        if (state->known) memcpy(policy, state->policy, moves * sizeof *policy);
        return state->known;
    }
    const uint8_t *bytes = method_node(use, &search->tree, at);
    bool known = false;
    for (size_t i = 0; i < moves; i++) {
        policy[i] = unpack_prior(bytes[i]);
        known |= bytes[i] != 0;
    }
    return known;
}

/* The weight and utility of a move in a visit by the human policy. A weightless visit takes the
 * weight and utility of the child. These also include visits that the edge did not count. */
static EdgeValue human_edge_value(const Search *search, uint32_t at, const Edge *edge,
                                  double unvisited, bool weightless) {
    const Tree *tree = &search->tree;
    Edge seen = *edge;
    if (weightless) {
        const Node *child = &tree->nodes[edge->child];
        tree_lock(tree, edge->child);
        seen.weight = child->visits > 0 ? child->weight : 0;
        seen.utility = child->utility;
        tree_unlock(tree, edge->child);
    }
    if (at == 0 && seen.weight > 0) seen.utility += (float)search_move_bonus(search, edge);
    return puct_edge_value(&search->frame, &tree->nodes[at], &seen, unvisited);
}

/* The sum of the human policy over the moves with a node. */
static double visited_policy(const Tree *tree, const Node *node, const float *human) {
    double sum = 0;
    for (int i = 0; i < node->child_count; i++)
        sum += fmax(0, (double)human[tree->edges[node->edges + (uint32_t)i].move]);
    return fmin(1, sum);
}

/* Chooses among all moves:
 *     argmax s U + E P / (1 + w),   E = (c + permanent sqrt(W)) sqrt(W + 0.01)
 * s, U and w are those of puct_exploration(). P is the human policy, W is the weight of all moves,
 * c is search.human.c_puct, and `permanent` is search.human.c_puct_permanent. Returns the index of
 * the edge of the chosen move, and makes the edge if necessary. Returns -1 if there is no move. */
static int choose_by_human(Search *search, TreeSlab *slab, const float *human, Color mover,
                           uint32_t at, bool weightless) {
    Tree *tree = &search->tree;
    const Node *node = &tree->nodes[at];
    const Edge *edges = tree->edges + node->edges;
    const SearchSettings *s = &search->settings;
    float left[MOVES_MAX];
    EdgeValue seen[MOVES_MAX];
    double total = 0, side = side_of(node);
    double unvisited =
        puct_unvisited_value_of(&search->frame, node, visited_policy(tree, node, human), at == 0);
    tree_get_policy(tree, at, left);
    for (int i = 0; i < node->child_count; i++) {
        seen[i] = human_edge_value(search, at, &edges[i], unvisited, weightless);
        total += seen[i].weight - edges[i].waiting * s->virtual_losses;
    }
    total = fmax(0, total);
    double exploration =
        (s->human.c_puct + s->human.c_puct_permanent * sqrt(total)) * sqrt(total + 0.01);
    double best_value = -1e300;
    int best = -1, best_move = -1;
    for (int i = 0; i < node->child_count; i++) {
        double prior = (double)human[edges[i].move],
               value = side * seen[i].utility + exploration * prior / (1 + seen[i].weight);
        left[edges[i].move] = -1;
        if (edges[i].prior < 0 || prior < 0 || value <= best_value) continue;
        best_value = value;
        best = i;
    }
    for (int i = 0; i < tree->move_count; i++) {
        double value = side * unvisited + exploration * (double)human[i];
        if (left[i] < 0 || human[i] < 0 || value <= best_value) continue;
        best_value = value;
        best_move = i;
    }
    return best_move < 0 ? best
                         : tree_add_child_of_in(tree, slab, at, best_move, color_other(mover));
}

int search_select_human(Search *search, TreeSlab *slab, Color mover, uint32_t at,
                        bool *weightless) {
    float human[MOVES_MAX];
    Chances chances = chances_at(&search->settings, at == 0, mover == search->root.mover);
    double all = chances.weightless + chances.weightful;
    if (all <= 0) return -1;
    double draw = rng_uniform(&search->rng);
    if (draw >= all || !get_human_policy(search, at, human)) return -1;
    bool looks = draw < chances.weightless;
    int index = choose_by_human(search, slab, human, mover, at, looks);
    *weightless = looks && index >= 0;
    return index;
}

static int choose_edge(Search *search, const MethodUse *use, PendingLeaf *leaf, uint32_t at) {
    (void)use;
    return search_select_human(search, leaf->slab, leaf->position.mover, at,
                               &leaf->weightless[leaf->depth - 1]);
}

float search_human_prior(const Search *search, Point point) {
    const HumanState *state = search_state_of(search, &METHOD_HUMAN);
    const Board *board = &search->root.board;
    return state->known ? state->policy[move_index(point, board->width, board->height)] : -1;
}

/* Writes the mover's utility of each move of the root, by move_index(). Moves without a visit get
 * the mean utility of the other moves. Returns the largest utility. */
static double values_of(const Search *search, double *values) {
    const Tree *tree = &search->tree;
    const Node *root = tree->nodes;
    double sum = 0, best = -1e300, side = side_of(root);
    bool known[MOVES_MAX] = {0};
    int count = 0;
    for (int i = 0; i < root->child_count; i++) {
        const Edge *edge = &tree->edges[root->edges + (uint32_t)i];
        const Node *child = &tree->nodes[edge->child];
        if (child->visits <= 0) continue;
        known[edge->move] = true;
        values[edge->move] = side * (double)child->utility;
        best = fmax(best, values[edge->move]);
        sum += values[edge->move];
        count++;
    }
    double mean = count ? sum / count : 0;
    for (int i = 0; i < tree->move_count; i++) {
        if (!known[i]) values[i] = mean;
    }
    return fmax(best, mean);
}

/* Writes the human policy over the moves that may be chosen. If the utility of a move is d below
 * that of the best move, the probability of the move is multiplied by exp(-d /
 * search.human.chosen_lambda). Returns false if no probability is left. */
static bool temper_human_policy(const Search *search, const HumanState *state, double *human) {
    int moves = search->tree.move_count, suppressed = search_suppressed_pass(search);
    double values[MOVES_MAX], sum = 0, best = values_of(search, values),
                              lambda = search->settings.human.chosen_lambda;
    float open[MOVES_MAX];
    search_root_policy(search, open);
    if (suppressed >= 0) open[moves - 1] = -1;
    for (int i = 0; i < moves; i++) {
        double prior = open[i] < 0 ? 0 : fmax(0, (double)state->policy[i]);
        human[i] = prior * exp((values[i] - best) / lambda);
        sum += human[i];
    }
    for (int i = 0; i < moves && sum > 0; i++)
        human[i] /= sum;
    return sum > 0;
}

/* Mixes the human policy into the probabilities of the moves of the root. */
static bool mix_choice(const Search *search, const MethodUse *use, float *probabilities) {
    const SearchSettings *s = &search->settings;
    const HumanState *state = use->state;
    int pass = search->tree.move_count - 1;
    double human[MOVES_MAX];
    bool chooses = s->human.chosen_fraction > 0 && state->known;
    if (!chooses || !probabilities || !temper_human_policy(search, state, human)) return chooses;
    double kept = (double)probabilities[pass];
    if (s->human.chosen_ignore_pass && human[pass] < 1) {
        double scale = (1 - kept) / (1 - human[pass]);
        for (int i = 0; i < pass; i++)
            human[i] *= scale;
        human[pass] = kept;
    }
    for (int i = 0; i <= pass; i++)
        probabilities[i] +=
            (float)(s->human.chosen_fraction * (human[i] - (double)probabilities[i]));
    return true;
}

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return search_settings_need_human_policy(settings);
}

/* Clears the tree if nodes below the root have human policies and the other side now searches. The
 * settings differ for nodes of the searching side and nodes of its opponent. */
static bool begin(Search *search, const MethodUse *use) {
    HumanState *state = use->state;
    if (use->node_bytes && state->of != search->root.mover) search_reset(search);
    state->of = search->root.mover;
    return true;
}

static void request(const Search *search, const MethodUse *use, Color mover, int depth,
                    EvaluationOptions *options) {
    (void)use;
    options->human = needs_human_policy(search, mover, depth);
}

static RootNeed root_need(const Search *search, const MethodUse *use) {
    (void)search;
    return ((const HumanState *)use->state)->known ? ROOT_WAS_INNER : ROOT_LACKS;
}

static void forget(Search *search, const MethodUse *use, bool all) {
    (void)search, (void)all;
    ((HumanState *)use->state)->known = false;
}

const SearchMethod METHOD_HUMAN = {.name = "human policy",
                                   .is_on = is_on,
                                   .splits = true,
                                   .state_bytes = sizeof(HumanState),
                                   .node_bytes = node_bytes,
                                   .begin = begin,
                                   .choose_edge = choose_edge,
                                   .request = request,
                                   .expanded = expanded,
                                   .root_expanded = root_expanded,
                                   .mix_choice = mix_choice,
                                   .root_need = root_need,
                                   .forget = forget};
