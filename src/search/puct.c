#include "search/puct.h"
#include "search/utility.h"
#include <math.h>

static double utility_range(const SearchSettings *settings) {
    return (double)settings->win_loss_factor + (double)settings->static_score_factor + (double)settings->dynamic_score_factor;
}

double puct_edge_weight(const Tree *tree, const Edge *edge) {
    const Node *child = &tree->nodes[edge->child];
    if (child->visits <= 0 || edge->visits <= 0) return 0;
    return (double)child->weight * edge->visits / child->visits;
}

double puct_exploration(const Frame *frame, const Node *node, double weight) {
    const SearchSettings *s = frame->settings;
    double base = (double)s->c_puct_base;
    double c = (double)s->c_puct + (double)s->c_puct_log * log((weight + base) / base);
    double prior = (double)s->c_puct_stdev_prior, n0 = (double)s->c_puct_stdev_prior_weight, deviation = prior;
    if (s->c_puct_stdev_scale == 0) return c * sqrt(weight + 0.01);
    if (node->visits > 0 && node->weight > 1) {
        double u = (double)node->utility, w = (double)node->weight, square = fmax((double)node->utility_sq, u * u);
        double variance = ((u * u + prior * prior) * n0 + square * w) / (n0 + w - 1) - u * u;
        deviation = sqrt(fmax(0, variance));
    }
    return c * sqrt(weight + 0.01) * (1 + (double)s->c_puct_stdev_scale * (deviation / prior - 1));
}

double puct_unvisited_value(const Frame *frame, const Node *node, bool root, double visited_policy) {
    const SearchSettings *s = frame->settings;
    double base = (double)node->utility, side = side_of(node);
    if (s->fpu_parent_by_visited_policy) {
        double share = fmin(1, pow(visited_policy, (double)s->fpu_parent_pow));
        base = share * (double)node->utility + (1 - share) * (double)node->own_utility;
    }
    double reduction = (double)(root ? s->root_fpu_reduction : s->fpu_reduction);
    double value = base - side * reduction * sqrt(visited_policy);
    return value + (-side * utility_range(s) - value) * (double)s->fpu_loss_share;
}

typedef struct {
    double weight, utility; /* with descents under way counted as losses */
} Seen;

/* Descents under way pull the value towards a loss (virtual losses). */
static Seen see(const Frame *frame, const Tree *tree, const Node *node, const Edge *edge, double unvisited) {
    const Node *child = &tree->nodes[edge->child];
    Seen seen = {puct_edge_weight(tree, edge), child->visits > 0 ? (double)child->utility : unvisited};
    if (!edge->waiting) return seen;
    double share = edge->waiting / (edge->waiting + fmax(0.25, seen.weight));
    seen.utility += (-side_of(node) * utility_range(frame->settings) - seen.utility) * share;
    seen.weight += edge->waiting;
    return seen;
}

int puct_select(const Frame *frame, const Tree *tree, uint32_t index, bool root) {
    const Node *node = &tree->nodes[index];
    const Edge *edges = tree->edges + node->edges;
    const PriorMove *priors = tree->priors + node->priors;
    double total = 0, visited_policy = 0, side = side_of(node);
    if (!node->prior_count) return -1;
    for (int i = 0; i < node->child_count; i++) {
        total += puct_edge_weight(tree, &edges[i]) + edges[i].waiting;
        visited_policy += (double)priors[i].prior;
    }
    double exploration = puct_exploration(frame, node, total);
    double unvisited = puct_unvisited_value(frame, node, root, visited_policy);
    double forced = root ? (double)frame->settings->forced_playouts : 0, best_value = -1e300;
    int best = -1;
    for (int i = 0; i < node->child_count; i++) {
        Seen seen = see(frame, tree, node, &edges[i], unvisited);
        double prior = (double)priors[i].prior, value = side * seen.utility + exploration * prior / (1 + seen.weight);
        if (forced > 0 && prior > 0 && seen.weight < sqrt(prior * total * forced)) value = 1e20;
        if (value <= best_value) continue;
        best_value = value;
        best = i;
    }
    if (node->child_count < node->prior_count) {
        double value = side * unvisited + exploration * (double)priors[node->child_count].prior;
        if (value > best_value) best = node->child_count;
    }
    return best;
}

double puct_leaf_weight(const Frame *frame, double winloss_error, double score_error, double score_mean) {
    const SearchSettings *s = frame->settings;
    if (!s->uncertainty || winloss_error < 0 || score_error < 0) return 1;
    double slope = (double)s->static_score_factor * utility_score_slope(score_mean, 0, 2, frame->edge) + (double)s->dynamic_score_factor * utility_score_slope(score_mean, frame->center, (double)s->score_center_scale, frame->edge);
    double error = (double)s->win_loss_factor * winloss_error + slope * score_error;
    double coeff = (double)s->uncertainty_coeff;
    return coeff / (pow(error, (double)s->uncertainty_exponent) + coeff / (double)s->uncertainty_max_weight);
}

typedef struct {
    double weight, side_utility, prior;
    const Node *child;
} Share;

/* Surplus visits on bad moves lose weight (KataGo, noise pruning). */
static void prune_noise(const SearchSettings *s, Share *shares, int count) {
    double weight = 0, value = 0, policy = 0;
    for (int i = 0; i < count; i++) {
        Share *share = &shares[i];
        double prior = fmax(share->prior, 1e-30);
        if (weight > 0 && policy > 0) {
            double gap = value / weight - share->side_utility, lenient = 2 * weight * prior / policy;
            if (gap > 0 && share->weight > lenient) share->weight -= (share->weight - lenient) * (1 - exp(-gap / (double)s->noise_prune_scale));
        }
        weight += share->weight;
        value += share->weight * share->side_utility;
        policy += prior;
    }
}

/* Bad children count less; the total stays. */
static void weigh_by_value(const SearchSettings *s, Share *shares, int count) {
    double total = 0, mean = 0, after = 0;
    for (int i = 0; i < count; i++) {
        total += shares[i].weight;
        mean += shares[i].weight * shares[i].side_utility;
    }
    if (total <= 0) return;
    mean /= total;
    for (int i = 0; i < count; i++) {
        double deviation = sqrt(1e-8 + 1 / (1.5 * sqrt(shares[i].weight)));
        double chance = utility_t3((shares[i].side_utility - mean) / deviation) + 0.0001;
        bool half = s->value_weight_exponent == 0.5f;
        shares[i].weight *= half ? sqrt(chance) : pow(chance, (double)s->value_weight_exponent);
        after += shares[i].weight;
    }
    for (int i = 0; i < count; i++) shares[i].weight *= total / after;
}

static int gather_shares(const Tree *tree, const Node *node, Share *shares) {
    int count = 0;
    for (int i = 0; i < node->child_count; i++) {
        const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
        double weight = puct_edge_weight(tree, edge);
        if (weight <= 0) continue;
        const Node *child = &tree->nodes[edge->child];
        shares[count++] = (Share){weight, side_of(node) * (double)child->utility, (double)tree->priors[node->priors + (uint32_t)i].prior, child};
    }
    return count;
}

/* At a noised root, moves that only noise visited do not speak for its value. */
static void drop_noise_visits(const SearchSettings *s, Share *shares, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, shares[i].weight);
    double prune = fmin((double)s->move_prune, most / 64), subtract = fmin((double)s->move_subtract, most / 64);
    for (int i = 0; i < count; i++) shares[i].weight = shares[i].weight < prune ? 0 : fmax(0, shares[i].weight - subtract);
}

void puct_recompute(const Frame *frame, Tree *tree, uint32_t index, bool root) {
    Node *node = &tree->nodes[index];
    const SearchSettings *s = frame->settings;
    ValueForWhite own = {(double)node->own_win_loss, (double)node->own_no_result, (double)node->own_score_mean, (double)node->own_score_mean_sq};
    node->own_utility = (float)utility_of(s, &own, frame->center, frame->edge);
    double u = (double)node->own_utility, w = (double)node->own_weight;
    if (node->state == NODE_TERMINAL) w *= node->visits;
    double weight = w, weight_sq = w * (double)node->own_weight;
    double sums[7] = {w * own.win_loss, w * own.no_result, w * own.score_mean, w * own.score_mean_sq, w * (double)node->own_lead, w * u, w * u * u};
    Share shares[MOVES_MAX];
    int count = gather_shares(tree, node, shares);
    if (s->noise_pruning) prune_noise(s, shares, count);
    else if (root && s->root_noise) drop_noise_visits(s, shares, count);
    if (s->value_weight_exponent > 0 && count > 1) weigh_by_value(s, shares, count);
    for (int i = 0; i < count; i++) {
        const Node *child = shares[i].child;
        double share = shares[i].weight;
        const float values[7] = {child->win_loss, child->no_result, child->score_mean, child->score_mean_sq, child->lead, child->utility, child->utility_sq};
        for (int k = 0; k < 7; k++) sums[k] += share * (double)values[k];
        weight += share;
        double ratio = share / (double)child->weight;
        weight_sq += ratio * ratio * (double)child->weight_sq;
    }
    if (weight <= 0) return;
    float *const averages[7] = {&node->win_loss, &node->no_result, &node->score_mean, &node->score_mean_sq, &node->lead, &node->utility, &node->utility_sq};
    for (int k = 0; k < 7; k++) *averages[k] = (float)(sums[k] / weight);
    node->weight = (float)weight;
    node->weight_sq = (float)weight_sq;
}
