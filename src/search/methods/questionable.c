/* Questionable lines: if the player to move has gained much since the root, the value of the most
 * visited move is raised. The search then spends fewer visits on alternatives, because any move
 * that keeps the gain is good enough (lczero-training, README, "A Search Heuristic to Improve
 * Efficiency on Questionable Lines"). */
#include "search/tree/method_set.h"

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->questionable.weight > 0;
}

/* By how much the value of the most visited move is raised:
 *     weight gain / (1 + N / decay),   gain: the mover's utility minus its utility at the root
 * where N is the number of visits of the node. With decay 0 the divisor is 1. At the root nothing
 * is added; nothing is added either if the gain is below search.questionable.threshold. */
static double prepare(const Choice *choice, const MethodUse *use) {
    (void)use;
    const SearchSettings *s = choice->settings;
    double gain = choice->side * (double)(choice->node->utility - choice->tree->nodes[0].utility);
    if (choice->root || gain < s->questionable.threshold) return 0;
    double decay = s->questionable.decay;
    return s->questionable.weight * gain / (decay > 0 ? 1 + choice->node->visits / decay : 1);
}

static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    (void)use;
    if (edge && out->index == choice->most_visited) out->value += prepared;
    return false;
}

extern const SearchMethod METHOD_QUESTIONABLE;
const SearchMethod METHOD_QUESTIONABLE = {
    .name = "questionable lines", .is_on = is_on, .prepare = prepare, .term = term};
