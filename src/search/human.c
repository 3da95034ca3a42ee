/* People's moves in a search: a second net, of human play, tells which they are. Some visits choose
 * by its policy, with or without weight for the node's value, and the move that is played may be
 * drawn from it (KataGo, cpp/configs/gtp_human5k_example.cfg; Jacob et al. 2022, "Modeling strong
 * and human-like gameplay with KL-regularized search", for the last). */
#include <math.h>
#include <string.h>

#include "search/methods.h"
#include "search/search_private.h"

/* Of a visit, to be for people's moves. */
typedef struct {
    double weightless, weightful;
} Chances;

static Chances chances_at(const SearchSettings *s, bool root, bool own) {
    if (root) return (Chances){(double)s->human_root_weightless, (double)s->human_root_weightful};
    if (own) return (Chances){(double)s->human_own_weightless, (double)s->human_own_weightful};
    return (Chances){(double)s->human_other_weightless, (double)s->human_other_weightful};
}

static bool has_chance(const SearchSettings *s, bool root, bool own) {
    Chances chances = chances_at(s, root, own);
    return chances.weightless + chances.weightful > 0;
}

bool search_wants_human(const Search *search, Color mover, int depth) {
    const SearchSettings *s = &search->settings;
    if (depth > 0) return has_chance(s, false, mover == search->root.mover);
    return search_settings_ask_people(s);
}

/* A policy beside a node: a byte for each move, twelfths of an octave; 0: illegal. */
enum { PRIOR_STEPS = 12, PRIOR_BYTES = (MOVES_MAX + 3) / 4 * 4 };

static uint8_t shrink(float prior) {
    if (prior < 0) return 0;
    double level = 255 + round(PRIOR_STEPS * log2(fmax((double)prior, 1e-30)));
    return (uint8_t)fmin(255, fmax(1, level));
}

static float grow(uint8_t byte) {
    return byte ? (float)exp2((byte - 255.0) / PRIOR_STEPS) : -1;
}

size_t search_human_bytes(const SearchSettings *s) {
    return has_chance(s, false, true) || has_chance(s, false, false) ? PRIOR_BYTES : 0;
}

void search_set_human(Search *search, uint32_t at, const Evaluation *evaluation) {
    if (!evaluation->has_human) {
        search->refusal = "the settings search.human_* want a net of human play beside the first "
                          "(--human-net) and search.human_profile";
        return;
    }
    size_t moves = (size_t)search->tree.move_count;
    if (at == 0) {
        memcpy(search->human_policy, evaluation->human_policy,
               moves * sizeof *search->human_policy);
        search->has_human = true;
        return;
    }
    uint8_t *bytes = (uint8_t *)tree_side(&search->tree, at) + search->human_at;
    for (size_t i = 0; i < moves; i++)
        bytes[i] = shrink(evaluation->human_policy[i]);
}

/* false: nobody told it. */
static bool get_human(const Search *search, uint32_t at, float *policy) {
    size_t moves = (size_t)search->tree.move_count;
    if (at == 0) {
        if (search->has_human) memcpy(policy, search->human_policy, moves * sizeof *policy);
        return search->has_human;
    }
    const uint8_t *bytes = (const uint8_t *)tree_side(&search->tree, at) + search->human_at;
    bool known = false;
    for (size_t i = 0; i < moves; i++) {
        policy[i] = grow(bytes[i]);
        known |= bytes[i] != 0;
    }
    return known;
}

/* A move as such a visit sees it. One that brings no weight looks at what the node itself has, not
 * at what went through the edge. */
static Seen see(const Search *search, uint32_t at, const Edge *edge, double unvisited,
                bool weightless) {
    const Tree *tree = &search->tree;
    Edge seen = *edge;
    if (weightless) {
        const Node *child = &tree->nodes[edge->child];
        tree_lock(tree, edge->child);
        seen.weight = child->visits > 0 ? child->weight : 0;
        seen.utility = child->utility;
        tree_unlock(tree, edge->child);
    }
    if (at == 0 && search->has_ending && seen.weight > 0)
        seen.utility += (float)search_ending_utility(search, edge);
    return puct_see(&search->frame, &tree->nodes[at], &seen, unvisited);
}

/* What the moves with a node have of people's policy. */
static double visited_policy(const Tree *tree, const Node *node, const float *human) {
    double sum = 0;
    for (int i = 0; i < node->child_count; i++)
        sum += fmax(0, (double)human[tree->edges[node->edges + (uint32_t)i].move]);
    return fmin(1, sum);
}

/* argmax of s U + E P / (1 + w) with people's P and E = (c + permanent sqrt(W)) sqrt(W + 0.01),
 * over all moves: an edge, or one that is made. -1: none. */
static int choose(Search *search, TreeShare *share, const float *human, Color mover, uint32_t at,
                  bool weightless) {
    Tree *tree = &search->tree;
    const Node *node = &tree->nodes[at];
    const Edge *edges = tree->edges + node->edges;
    const SearchSettings *s = &search->settings;
    float left[MOVES_MAX];
    Seen seen[MOVES_MAX];
    double total = 0, side = side_of(node);
    double unvisited =
        puct_unvisited_value_of(&search->frame, node, visited_policy(tree, node, human), at == 0);
    tree_get_policy(tree, at, left);
    for (int i = 0; i < node->child_count; i++) {
        seen[i] = see(search, at, &edges[i], unvisited, weightless);
        total += seen[i].weight - edges[i].waiting * (double)s->virtual_losses;
    }
    total = fmax(0, total);
    double exploration =
        ((double)s->human_c_puct + (double)s->human_c_puct_permanent * sqrt(total)) *
        sqrt(total + 0.01);
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
                         : tree_add_child_of_in(tree, share, at, best_move, color_other(mover));
}

int search_select_human(Search *search, TreeShare *share, Color mover, uint32_t at,
                        bool *weightless) {
    float human[MOVES_MAX];
    Chances chances = chances_at(&search->settings, at == 0, mover == search->root.mover);
    double all = chances.weightless + chances.weightful;
    if (all <= 0) return -1;
    double draw = rng_uniform(&search->rng);
    if (draw >= all || !get_human(search, at, human)) return -1;
    bool looks = draw < chances.weightless;
    int index = choose(search, share, human, mover, at, looks);
    *weightless = looks && index >= 0;
    return index;
}

float search_human_prior(const Search *search, Point point) {
    const Board *board = &search->root.board;
    return search->has_human ? search->human_policy[move_index(point, board->width, board->height)]
                             : -1;
}

/* What the root's moves are worth to the mover, by move_index(): those that nobody looked at as
 * much as the others on the average. Returns the most. */
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

/* People's policy over the moves that may be chosen, in which each lambda of utility below the best
 * move costs a factor e. false: nothing is left of it. */
static bool tempered(const Search *search, double *people) {
    int moves = search->tree.move_count, suppressed = search_suppressed_pass(search);
    double values[MOVES_MAX], sum = 0, best = values_of(search, values),
                              lambda = (double)search->settings.human_chosen_lambda;
    float open[MOVES_MAX];
    search_root_policy(search, open);
    if (suppressed >= 0) open[moves - 1] = -1;
    for (int i = 0; i < moves; i++) {
        double prior = open[i] < 0 ? 0 : fmax(0, (double)search->human_policy[i]);
        people[i] = prior * exp((values[i] - best) / lambda);
        sum += people[i];
    }
    for (int i = 0; i < moves && sum > 0; i++)
        people[i] /= sum;
    return sum > 0;
}

void search_mix_human(const Search *search, float *shares) {
    const SearchSettings *s = &search->settings;
    int pass = search->tree.move_count - 1;
    double people[MOVES_MAX], kept = (double)shares[pass];
    if (!search->has_human || !tempered(search, people)) return;
    if (s->human_chosen_ignore_pass && people[pass] < 1) {
        double scale = (1 - kept) / (1 - people[pass]);
        for (int i = 0; i < pass; i++)
            people[i] *= scale;
        people[pass] = kept;
    }
    for (int i = 0; i <= pass; i++)
        shares[i] += (float)((double)s->human_chosen_share * (people[i] - (double)shares[i]));
}
