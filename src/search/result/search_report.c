/* The report of a search, by KataGo's rules (cpp/search/searchresults.cpp):
 * 1. Each move of the root gets a play-selection weight, which is the weight of its visits. Visits
 *    that PUCT would not have made if it had known the final values do not count (target pruning).
 * 2. The move with the best lower confidence bound gets more weight (LCB), and small weights are
 *    removed.
 * 3. In a Gumbel search the improved policy takes the place of these weights.
 * 4. Entropies and surprise are computed from the weights, and methods may mix a policy of their
 *    own into the choice of the move. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/statistic.h"
#include "search/core/search.h"
#include "search/core/search_private.h"
#include "search/methods/ending.h"
#include "search/methods/spread.h"
#include "search/select/utility.h"

typedef struct {
    double utility, radius; /* as seen by the root's mover */
} Bound;

/* The lower confidence bound of a child is its utility minus lcb.stdevs standard errors. An
 * additional value with a large variance counts too, so that the interval is wider for small
 * weights. */
static Bound bound_of(const Search *search, const Node *root, const Edge *edge) {
    const SearchSettings *s = &search->settings;
    const Node *child = &search->tree.nodes[edge->child];
    double w = puct_edge_weight(&search->tree, edge),
           w2 = child->visits ? (double)child->weight_sq * edge->visits / child->visits : 0;
    double range = search_settings_range(s);
    if (w <= 0 || w2 <= 0) return (Bound){-range, 2 * range * s->lcb.stdevs};
    double u = (double)child->utility, mean = u + search_move_bonus(search, edge),
           square = fmax((double)child->utility_sq, u * u + 1e-8);
    double effective = w * w / w2, prior = w / (effective * effective * effective);
    square = (square * w + (square + range * range) * prior) / (w + prior);
    w += prior;
    w2 += prior * prior;
    effective = w * w / w2;
    return (Bound){side_of(root) * mean, s->lcb.stdevs * sqrt(fmax(0, square - u * u) / effective)};
}

/* The lower confidence bound by Student's t distribution,
 *     U - t sqrt(Var / n)
 * where U is the mean utility, Var its variance, n the number of visits, and t the 0.975 quantile
 * with n - 1 degrees of freedom. With fewer than two visits the bound is n - 1e6. */
static double student_bound(const Search *search, const Node *root, const Edge *edge) {
    const Node *child = &search->tree.nodes[edge->child];
    double u = (double)child->utility;
    if (edge->visits < 2) return edge->visits - 1e6;
    return side_of(root) * (u + search_move_bonus(search, edge)) -
           student_half_width(u, (double)child->utility_sq, edge->visits, 0.025);
}

static double value_at_root(const Search *search, const Edge *edge) {
    return (double)search->tree.nodes[edge->child].utility + search_move_bonus(search, edge);
}

/* Returns the index of the child with the largest weight. Here one visit of each child does not
 * count, and the prior counts a little. */
static int best_child(const Search *search, const Node *root, const double *weights) {
    const Edge *edges = search->tree.edges + root->edges;
    double best_value = -1;
    int best = 0;
    for (int i = 0; i < root->child_count; i++) {
        double visits = edges[i].visits,
               value =
                   weights[i] * fmax(0, visits - 1) / fmax(1, visits) + 2 * (double)edges[i].prior;
        if (value <= best_value) continue;
        best_value = value;
        best = i;
    }
    return best;
}

/* Removes visits that PUCT would not have made if it had known the final values. */
static void prune_targets(const Search *search, const Node *root, int best, double *weights) {
    const Edge *edges = search->tree.edges + root->edges;
    double total = 0;
    for (int i = 0; i < root->child_count; i++)
        total += weights[i];
    double exploration = puct_exploration(&search->frame, root, total), side = side_of(root);
    double top = side * value_at_root(search, &edges[best]) +
                 exploration * (double)edges[best].prior / (1 + weights[best]);
    for (int i = 0; i < root->child_count; i++) {
        if (i == best || weights[i] <= 0) continue;
        double gap = top - side * value_at_root(search, &edges[i]);
        double wanted =
            gap > 0 ? fmax(0, exploration * (double)edges[i].prior / gap - 1) : weights[i];
        weights[i] = ceil(fmin(weights[i], wanted));
    }
}

/* Finds the move with the best lower bound among the moves that have at least the weight `min`.
 * Raises its weight above the weight of each move with a worse bound. The excess is larger if the
 * bound of that move is worse. */
static void raise_by_bound(const Node *root, double *weights, const Bound *bounds, double min) {
    double best_bound = -1e300;
    int best = -1;
    for (int i = 0; i < root->child_count; i++) {
        double bound = bounds[i].utility - bounds[i].radius;
        if (weights[i] <= 0 || weights[i] < min || bound <= best_bound) continue;
        best_bound = bound;
        best = i;
    }
    if (best < 0) return;
    double wanted = weights[best];
    for (int i = 0; i < root->child_count; i++) {
        double excess = best_bound - (bounds[i].utility - bounds[i].radius);
        if (i == best || excess < 0) continue;
        double fraction = bounds[i].radius + 0.2 * excess,
               factor = fraction > 0 ? (bounds[i].radius + excess) / fraction : 1;
        wanted = fmax(wanted, factor * factor * weights[i]);
    }
    weights[best] = wanted;
}

/* Gives the move with the best Student bound as much weight as all moves together have (p3achygo,
 * mcts/tree.cc). */
static void raise_by_student(const Search *search, const Node *root, double *weights) {
    double best_bound = -1e300, all = 0;
    int best = -1;
    for (int i = 0; i < root->child_count; i++) {
        double bound = student_bound(search, root, &search->tree.edges[root->edges + (uint32_t)i]);
        all += weights[i];
        if (weights[i] <= 0 || bound <= best_bound) continue;
        best_bound = bound;
        best = i;
    }
    if (best >= 0) weights[best] = all;
}

static void raise_by_confidence(const Search *search, const Node *root, double *weights,
                                const Bound *bounds, double best_weight) {
    const SearchSettings *s = &search->settings;
    if (s->lcb.on && s->lcb.rule == LCB_STUDENT) raise_by_student(search, root, weights);
    if (s->lcb.on && s->lcb.rule == LCB_KATAGO)
        raise_by_bound(root, weights, bounds, s->lcb.min_visit_fraction * best_weight);
}

void search_play_weights(const Search *search, double *weights, double *plain, double *lcb) {
    const Node *root = search->tree.nodes;
    Bound bounds[MOVES_MAX];
    for (int i = 0; i < root->child_count; i++) {
        const Edge *edge = &search->tree.edges[root->edges + (uint32_t)i];
        weights[i] = puct_edge_weight(&search->tree, edge);
        bounds[i] = bound_of(search, root, edge);
        lcb[i] = bounds[i].utility - bounds[i].radius;
    }
    int suppressed = search_suppressed_pass(search);
    if (suppressed >= 0) weights[suppressed] = 0;
    int best = best_child(search, root, weights);
    if (search->settings.target_pruning && root->child_count)
        prune_targets(search, root, best, weights);
    memcpy(plain, weights, root->child_count * sizeof *plain);
    raise_by_confidence(search, root, weights, bounds, root->child_count ? weights[best] : 0);
    puct_prune_small(&search->settings, plain, root->child_count);
    puct_prune_small(&search->settings, weights, root->child_count);
}

/* The most visited edge of a node, or NULL if none has a visit. */
static const Edge *most_visited(const Tree *tree, const Node *node) {
    const Edge *edges = tree->edges + node->edges, *best = NULL;
    for (int i = 0; i < node->child_count; i++) {
        if (edges[i].visits > 0 && (!best || edges[i].visits > best->visits)) best = &edges[i];
    }
    return best;
}

/* Follows `edge`, and after it the most visited edges. */
static int follow_line(const Search *search, const Edge *edge, LineStep *out, int max) {
    const Tree *tree = &search->tree;
    const Board *board = &search->root.board;
    int count = 0;
    while (edge && count < max) {
        const Node *node = &tree->nodes[edge->child];
        out[count++] = (LineStep){move_at_index(edge->move, board->width, board->height),
                                  node->visits, edge->visits};
        edge = most_visited(tree, node);
    }
    return count;
}

static void report_line(const Search *search, const Edge *edge, MoveReport *move) {
    LineStep steps[REPORT_LINE_MAX];
    move->line_length = follow_line(search, edge, steps, REPORT_LINE_MAX);
    for (int i = 0; i < move->line_length; i++) {
        move->line[i] = steps[i].point;
        move->line_visits[i] = steps[i].visits;
        move->line_edge_visits[i] = steps[i].edge_visits;
    }
}

int search_line(const Search *search, Point first, LineStep *out, int max) {
    const Tree *tree = &search->tree;
    const Board *board = &search->root.board;
    int index = move_index(first, board->width, board->height);
    for (uint32_t i = 0; tree->node_count && i < tree->nodes[0].child_count; i++) {
        const Edge *edge = &tree->edges[tree->nodes[0].edges + i];
        if (edge->move == index && edge->visits > 0) return follow_line(search, edge, out, max);
    }
    return 0;
}

static int by_order(const void *a, const void *b) {
    const MoveReport *x = a, *y = b;
    if (x->weight != y->weight) return x->weight < y->weight ? 1 : -1;
    if (x->visits != y->visits) return x->visits < y->visits ? 1 : -1;
    return x->prior < y->prior ? 1 : x->prior > y->prior ? -1 : x->point - y->point;
}

static void report_moves(const Search *search, Report *out) {
    const Tree *tree = &search->tree;
    const Node *root = tree->nodes;
    double weights[MOVES_MAX], plain[MOVES_MAX], lcb[MOVES_MAX], side = side_of(root);
    search_play_weights(search, weights, plain, lcb);
    for (int i = 0; i < root->child_count; i++) {
        const Edge *edge = &tree->edges[root->edges + (uint32_t)i];
        const Node *child = &tree->nodes[edge->child];
        if (edge->visits <= 0) continue;
        MoveReport *move = &out->moves[out->move_count++];
        *move = (MoveReport){
            .point = move_at_index(edge->move, search->root.board.width, search->root.board.height),
            .visits = edge->visits,
            .prior = search->raw_policy[edge->move],
            .noised_prior = edge->prior,
            .weight = (float)weights[i],
            .plain_weight = (float)plain[i],
            .win_loss = (float)(side * (double)child->win_loss),
            .score_mean = (float)(side * (double)child->score_mean),
            .score_stdev =
                (float)deviation_of((double)child->score_mean, (double)child->score_mean_sq),
            .lead = (float)(side * (double)child->lead),
            .utility = (float)(side * (double)child->utility),
            .lcb = (float)lcb[i],
            .child_weight = (float)puct_edge_weight(tree, edge),
            .no_result = child->no_result,
        };
        move->winrate = 0.5f * (1 + move->win_loss);
        report_line(search, edge, move);
    }
    qsort(out->moves, (size_t)out->move_count, sizeof *out->moves, by_order);
    for (int i = 0; i < out->move_count; i++)
        out->moves[i].order = i;
}

/* Sets the values of the root as if only the chosen move had been searched (p3achygo, 2023). */
static void value_by_choice(const Search *search, int chosen, Report *out) {
    const Tree *tree = &search->tree;
    const Node *root = tree->nodes;
    float side = (float)side_of(root);
    for (uint32_t i = 0; i < root->child_count; i++) {
        const Edge *edge = &tree->edges[root->edges + i];
        const Node *child = &tree->nodes[edge->child];
        if (edge->move != chosen || edge->visits <= 0) continue;
        float own = root->own_weight, weight = (float)puct_edge_weight(tree, edge),
              a = own / (own + weight), b = weight / (own + weight);
        float mean = a * root->own_score_mean + b * child->score_mean,
              square = a * root->own_score_mean_sq + b * child->score_mean_sq;
        out->win_loss = side * (a * root->own_win_loss + b * child->win_loss);
        out->no_result = a * root->own_no_result + b * child->no_result;
        out->win = 0.5f * (1 - out->no_result + out->win_loss);
        out->loss = 0.5f * (1 - out->no_result - out->win_loss);
        out->score_mean = side * mean;
        out->score_stdev = (float)deviation_of((double)mean, (double)square);
        out->lead = side * (a * root->own_lead + b * child->lead);
        out->utility = side * (a * root->own_utility + b * child->utility);
    }
}

/* Fills in what a Gumbel search reports. The weights of moves become the improved policy times the
 * visits of the root, and the move to play is put first. */
static void report_gumbel(const Search *search, Report *out) {
    const Board *board = &search->root.board;
    int chosen = gumbel_choice(&search->gumbel, &search->frame, &search->tree), at = -1;
    if (chosen < 0) return;
    gumbel_improved(&search->gumbel, &search->frame, &search->tree, out->improved);
    out->gumbel = true;
    out->choice_by_temperature = search->settings.gumbel.temperature;
    if (search->settings.gumbel.chosen_value) value_by_choice(search, chosen, out);
    out->choice = move_at_index(chosen, board->width, board->height);
    for (int i = 0; i < out->move_count; i++) {
        MoveReport *move = &out->moves[i];
        int index = move_index(move->point, board->width, board->height);
        move->weight = move->plain_weight = out->improved[index] * (float)out->visits;
    }
    qsort(out->moves, (size_t)out->move_count, sizeof *out->moves, by_order);
    for (int i = 0; i < out->move_count; i++) {
        if (out->moves[i].point == out->choice) at = i;
    }
    if (at > 0) {
        MoveReport first = out->moves[at];
        memmove(out->moves + 1, out->moves, (size_t)at * sizeof *out->moves);
        out->moves[0] = first;
    }
    for (int i = 0; i < out->move_count; i++)
        out->moves[i].order = i;
}

/* Computes KL(improved | net's policy) and the entropy of the improved policy, in nats. */
static void surprise_of_improved(const Report *out, int area, double *surprise, double *entropy) {
    *surprise = *entropy = 0;
    for (int i = 0; i <= area; i++) {
        double p = (double)out->improved[i];
        if (p <= 0) continue;
        *surprise += p * log(p / fmax(1e-30, (double)out->raw_policy[i]));
        *entropy -= p * log(p);
    }
}

/* Computes KL(policy target | noised prior) and the entropies, in nats. */
static void report_surprise(const Search *search, Report *out) {
    double total = 0, surprise = 0, entropy = 0, raw = 0;
    int area = search->root.board.width * search->root.board.height;
    for (int i = 0; i < out->move_count; i++)
        total += (double)out->moves[i].weight;
    for (int i = 0; total > 0 && i < out->move_count; i++) {
        double p = (double)out->moves[i].weight / total;
        if (p <= 0) continue;
        surprise += p * log(p / fmax(1e-30, (double)out->moves[i].noised_prior));
        entropy -= p * log(p);
    }
    if (out->gumbel) surprise_of_improved(out, area, &surprise, &entropy);
    for (int i = 0; i <= area; i++) {
        double p = (double)out->raw_policy[i];
        if (p > 0) raw -= p * log(p);
    }
    out->policy_surprise = (float)fmax(0, surprise);
    out->search_entropy = (float)entropy;
    out->raw_policy_entropy = (float)raw;
}

/* Lets methods mix policies of their own into the probabilities. Returns whether any method has
 * such a policy. If `choice_probabilities` is NULL, this function does nothing else. */
static bool mix_by_methods(const Search *search, float *choice_probabilities) {
    bool any = false;
    for (int i = 0; i < search->methods.count; i++) {
        const MethodUse *use = &search->methods.all[i];
        if (use->method->mix_choice)
            any |= use->method->mix_choice(search, use, choice_probabilities);
    }
    return any;
}

/* Writes the probabilities by which the move is drawn if the weights of the moves alone do not
 * decide. */
static void report_probabilities(const Search *search, Report *out) {
    int moves = search->tree.move_count;
    double sum = 0;
    out->by_probabilities = (!out->gumbel && !out->move_count) || mix_by_methods(search, NULL);
    if (!out->by_probabilities) return;
    search_root_policy(search,
                       out->choice_probabilities); /* stays as it is if no move was searched */
    for (int i = 0; i < moves; i++)
        out->choice_probabilities[i] = out->move_count ? 0 : fmaxf(0, out->choice_probabilities[i]);
    for (int i = 0; i < out->move_count; i++)
        out->choice_probabilities[move_index(out->moves[i].point, out->width, out->height)] =
            out->moves[i].weight;
    for (int i = 0; i < moves; i++)
        sum += (double)out->choice_probabilities[i];
    for (int i = 0; i < moves && sum > 0; i++)
        out->choice_probabilities[i] = (float)((double)out->choice_probabilities[i] / sum);
    (void)mix_by_methods(search, out->choice_probabilities);
}

static void report_value_counts(const Search *search, Report *out) {
    double buckets[REPORT_VALUE_BUCKETS], max = 0;
    spread_count(&search->tree, 0, side_of(search->tree.nodes), buckets, REPORT_VALUE_BUCKETS);
    for (int i = 0; i < REPORT_VALUE_BUCKETS; i++)
        max = fmax(max, buckets[i]);
    double scale = max > INT16_MAX ? INT16_MAX / max : 1;
    for (int i = 0; i < REPORT_VALUE_BUCKETS; i++)
        out->value_counts[i] = (int16_t)lround(buckets[i] * scale);
}

void search_report(const Search *search, Report *out) {
    int area = search->root.board.width * search->root.board.height;
    out->mover = search->root.mover;
    out->move_count = 0;
    out->gumbel = out->choice_by_temperature = out->by_probabilities = false;
    out->choice = POINT_PASS;
    out->width = search->root.board.width;
    out->height = search->root.board.height;
    out->temperature_below = search->settings.temperature_below;
    out->visits = search_visits(search);
    out->playouts = search_playouts(search);
    out->has_ownership = search->has_ownership;
    out->has_value_counts = false;
    out->root_variance_count = root_changes_squares(&search->changes, out->root_variances);
    if (search->has_ownership)
        memcpy(out->ownership, search->ownership, (size_t)area * sizeof *out->ownership);
    if (!search->tree.node_count || search->tree.nodes[0].state != NODE_EXPANDED) {
        for (int i = 0; i <= area; i++)
            out->raw_policy[i] = out->open_policy[i] = -1;
        out->win = out->loss = out->raw_win = out->raw_loss = 0.5f;
        out->weight = out->no_result = out->win_loss = out->score_mean = out->score_stdev =
            out->lead = out->utility = 0;
        out->raw_no_result = out->raw_score_mean = out->raw_score_stdev = out->raw_lead = 0;
        out->raw_policy_entropy = out->search_entropy = out->policy_surprise = 0;
        return;
    }
    const Node *root = search->tree.nodes;
    float side = (float)side_of(root);
    out->has_value_counts = search->settings.value_buckets;
    if (out->has_value_counts) report_value_counts(search, out);
    memcpy(out->raw_policy, search->raw_policy, (size_t)(area + 1) * sizeof *out->raw_policy);
    search_open_policy(search, out->open_policy);
    out->weight = root->weight;
    out->win_loss = side * root->win_loss;
    out->no_result = root->no_result;
    out->win = 0.5f * (1 - root->no_result + out->win_loss);
    out->loss = 0.5f * (1 - root->no_result - out->win_loss);
    out->score_mean = side * root->score_mean;
    out->score_stdev = (float)deviation_of((double)root->score_mean, (double)root->score_mean_sq);
    out->lead = side * root->lead;
    out->utility = side * root->utility;
    float raw = side * root->own_win_loss;
    out->raw_no_result = root->own_no_result;
    out->raw_win = 0.5f * (1 - root->own_no_result + raw);
    out->raw_loss = 0.5f * (1 - root->own_no_result - raw);
    out->raw_score_mean = side * root->own_score_mean;
    out->raw_score_stdev =
        (float)deviation_of((double)root->own_score_mean, (double)root->own_score_mean_sq);
    out->raw_lead = side * root->own_lead;
    report_moves(search, out);
    if (search->settings.gumbel.on && search->begun && search->gumbel.count)
        report_gumbel(search, out);
    report_surprise(search, out);
    report_probabilities(search, out);
}
