/* People's moves in a search: a second net, of human play, tells which they are. Some visits choose
 * by its policy, with or without weight for the node's value, and the move that is played may be
 * drawn from it (KataGo, cpp/configs/gtp_human5k_example.cfg; Jacob et al. 2022, "Modeling strong
 * and human-like gameplay with KL-regularized search", for the last). */
#include "search/search_private.h"
#include <math.h>
#include <string.h>

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

/* What counts against looking at a move again: its weight, or where visits bring none these. */
static double effort(const Tree *tree, const Edge *edge, const Seen *seen, bool weightless) {
    if (!weightless) return seen->weight;
    tree_lock(tree, edge->child);
    double visits = tree->nodes[edge->child].visits;
    tree_unlock(tree, edge->child);
    return visits + edge->waiting;
}

/* argmax of s U + E P / (1 + w) with people's P and E = c sqrt(W + 0.01) + permanent W, over all
 * moves: an edge, or one that is made. -1: none. */
static int choose(Search *search, const float *human, Color mover, uint32_t at, bool weightless) {
    Tree *tree = &search->tree;
    const Node *node = &tree->nodes[at];
    const SearchSettings *s = &search->settings;
    float left[MOVES_MAX];
    double efforts[MOVES_MAX], values[MOVES_MAX], total = 0, side = side_of(node);
    double unvisited = puct_unvisited_value(&search->frame, node, at == 0);
    tree_get_policy(tree, at, left);
    for (int i = 0; i < node->child_count; i++) {
        const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
        Seen seen = puct_see(&search->frame, node, edge, unvisited);
        efforts[i] = effort(tree, edge, &seen, weightless);
        values[i] = side * seen.utility;
        total += efforts[i];
    }
    double exploration =
        (double)s->human_c_puct * sqrt(total + 0.01) + (double)s->human_c_puct_permanent * total;
    double best_value = -1e300;
    int best = -1, best_move = -1;
    for (int i = 0; i < node->child_count; i++) {
        const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
        double value = values[i] + exploration * (double)human[edge->move] / (1 + efforts[i]);
        bool open = edge->prior >= 0 && human[edge->move] >= 0;
        left[edge->move] = -1;
        if (!open || value <= best_value) continue;
        best_value = value;
        best = i;
    }
    for (int i = 0; i < tree->move_count; i++) {
        double value = side * unvisited + exploration * (double)human[i];
        if (left[i] < 0 || human[i] < 0 || value <= best_value) continue;
        best_value = value;
        best_move = i;
    }
    return best_move < 0 ? best : tree_add_child_of(tree, at, best_move, color_other(mover));
}

int search_select_human(Search *search, Color mover, uint32_t at, bool *weightless) {
    float human[MOVES_MAX];
    Chances chances = chances_at(&search->settings, at == 0, mover == search->root.mover);
    double all = chances.weightless + chances.weightful;
    if (all <= 0) return -1;
    double draw = rng_uniform(&search->rng);
    if (draw >= all || !get_human(search, at, human)) return -1;
    bool looks = draw < chances.weightless;
    int index = choose(search, human, mover, at, looks);
    *weightless = looks && index >= 0;
    return index;
}

/* People's moves that the search has looked at lose a factor e for each lambda of utility below the
 * best of them. */
static void temper(const Search *search, float *human) {
    const Tree *tree = &search->tree;
    const Node *root = tree->nodes;
    const Edge *edges = tree->edges + root->edges;
    double best = -1e300, side = side_of(root),
           lambda = (double)search->settings.human_chosen_lambda;
    for (int i = 0; i < root->child_count; i++) {
        if (edges[i].weight > 0) best = fmax(best, side * (double)edges[i].utility);
    }
    for (int i = 0; i < root->child_count; i++) {
        if (edges[i].weight > 0)
            human[edges[i].move] *= (float)exp((side * (double)edges[i].utility - best) / lambda);
    }
}

void search_mix_human(const Search *search, float *shares) {
    const SearchSettings *s = &search->settings;
    int moves = search->tree.move_count, pass = moves - 1;
    float human[MOVES_MAX], open[MOVES_MAX];
    double sum = 0, kept = s->human_chosen_ignore_pass ? (double)shares[pass] : 0;
    if (!search->has_human) return;
    search_root_policy(search, open);
    for (int i = 0; i < moves; i++)
        human[i] = open[i] < 0 ? 0 : fmaxf(0, search->human_policy[i]);
    if (s->human_chosen_ignore_pass) human[pass] = 0;
    temper(search, human);
    for (int i = 0; i < moves; i++)
        sum += (double)human[i];
    if (sum <= 0) return;
    for (int i = 0; i < moves; i++) {
        double people = (double)human[i] / sum * (1 - kept);
        if (i == pass && s->human_chosen_ignore_pass) people = kept;
        shares[i] += (float)((double)s->human_chosen_share * (people - (double)shares[i]));
    }
}
