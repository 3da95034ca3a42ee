/* Implicit minimax backups (Lanctot, Winands, Pepels and Sturtevant 2014, "Monte Carlo Tree Search
 * with Heuristic Evaluations using Implicit Minimax Backups"). Besides its mean, each node stores
 * v, the minimax value of the evaluations below it. The choice of moves uses both:
 *     v(node) = own utility; once children have visits, the child's v that is best for the mover
 *     Q(move) = (1 - a) U(move) + a v(child),   a: search.implicit_minimax
 * A mean needs many visits to follow a refutation; v follows it immediately. Only descents use Q:
 * the values of nodes and the choice of the move to play do not depend on it. */
#include "search/select/puct.h"

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->implicit_minimax > 0;
}

static size_t node_bytes(const SearchSettings *settings) {
    (void)settings;
    return sizeof(float); /* v, White's */
}

static float *value_of(const MethodUse *use, const Tree *tree, uint32_t node) {
    return method_node(use, tree, node);
}

static void updated(const MethodUse *use, const NodeUpdate *update) {
    const Node *node = &update->tree->nodes[update->at];
    float side = (float)side_of(node), best = node->own_utility;
    for (int i = 0; i < update->count; i++) {
        float value = *value_of(use, update->tree, update->children[i].edge->child);
        if (i == 0 || side * value > side * best) best = value;
    }
    *value_of(use, update->tree, update->at) = best;
}

/* Adds a (v - U) to the value of the move. This keeps the virtual losses in the value. */
static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    (void)prepared;
    if (!edge || edge->weight <= 0) return false;
    double gap = (double)*value_of(use, choice->tree, edge->child) - (double)edge->utility;
    out->value += choice->settings->implicit_minimax * choice->side * gap;
    return false;
}

extern const SearchMethod METHOD_IMPLICIT_MINIMAX;
const SearchMethod METHOD_IMPLICIT_MINIMAX = {.name = "implicit minimax backups",
                                              .is_on = is_on,
                                              .node_bytes = node_bytes,
                                              .term = term,
                                              .updated = updated};
