/* Exploration by the standard deviation (sd) of a move's values. With search.child_stdev_visits,
 * moves whose values vary more are explored more (p3achygo, 2026; lczero-training, README,
 * "Confidence-based Search"). search.puct_v turns on PUCT-V (p3achygo, 2026). */
#include <math.h>

#include "base/statistic.h"
#include "search/tree/method_set.h"

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->child_stdev_visits > 0 || settings->puct_v > 0;
}

static double stdev_of(const Choice *choice, const Edge *edge) {
    const Node *node = &choice->tree->nodes[edge->child];
    return deviation_of((double)node->utility, (double)node->utility_sq);
}

/* The mean deviation of the moves, weighted by their visits N: sum N sd / sum N. */
static double prepare(const Choice *choice, const MethodUse *use) {
    (void)use;
    double sum = 0, visits = 0;
    for (int i = 0; i < choice->node->child_count; i++) {
        const Edge *edge = &choice->edges[i];
        sum += edge->visits * stdev_of(choice, edge);
        visits += edge->visits;
    }
    return visits > 0 ? sum / visits : 0;
}

/* The factor by which the exploration E of a move with N visits is multiplied:
 *     (n0 + N sd / mean sd) / (n0 + N),   n0: search.child_stdev_visits
 * It is 1 if N is below 3, or if n0 or the mean sd is 0. */
static double stdev_factor(const Choice *choice, const Edge *edge, double mean) {
    double prior = choice->settings->child_stdev_visits;
    if (prior <= 0 || mean <= 0 || !edge || edge->visits < 3) return 1;
    double ratio = stdev_of(choice, edge) / mean;
    return (prior + edge->visits * ratio) / (prior + edge->visits);
}

/* Multiplies E by stdev_factor(). With PUCT-V, the exploration is instead
 *     E sd + c2 ln(max(1, W)),   c2: search.puct_v, W: the weight of all moves of the node
 * where sd is the deviation of the move. Before the move has a visit, sd is the mean deviation of
 * all moves. */
static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    (void)use;
    double c2 = choice->settings->puct_v;
    bool known = edge && edge->visits > 0;
    if (c2 > 0)
        out->exploration = out->exploration * (known ? stdev_of(choice, edge) : prepared) +
                           c2 * log(fmax(1, choice->total));
    else
        out->exploration *= stdev_factor(choice, edge, prepared);
    return false;
}

extern const SearchMethod METHOD_DEVIATION;
const SearchMethod METHOD_DEVIATION = {
    .name = "deviation of moves", .is_on = is_on, .prepare = prepare, .term = term};
