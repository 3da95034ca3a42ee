/* A bonus for short wins and long losses, from the net's head moves_left (lc0, src/search: the
 * "moves left" utility). M is the mean number of turns to the end of the game. Each node has an M,
 * with the weights of its other averages:
 *     M(node) = (w m + sum over the children of w(c) (1 + M(c))) / (w + sum of w(c))
 * where m is what the net says about the node itself, and w its weight; c are the children. At the
 * end of a game m is 0. Let q be the mover's win - loss after a move, and d the setting
 * search.moves_left.threshold. If the absolute value of the node's mean win - loss is above d, the
 * utility of the move changes by
 *     -sign(q) clamp(slope (M(move) - M(node)), -max, max) (a + b x + c x^2),
 *     x = max(0, abs(q) - d) / (1 - d)
 * Only descents use this change: the values of nodes and the choice of the move to play do not
 * depend on it.
 *
 * A thread writes the numbers of a node under the lock of this node. It reads M of a child without
 * the child's lock, so M is atomic. If another thread is about to change M, the old value does no
 * harm. */
#include <math.h>
#include <stdatomic.h>

#include "search/core/search_private.h"
#include "search/select/puct.h"

typedef struct {
    float own;          /* m */
    _Atomic float mean; /* M */
} TurnsLeft;

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->moves_left.max_effect > 0;
}

static size_t node_bytes(const SearchSettings *settings) {
    (void)settings;
    return sizeof(TurnsLeft);
}

static TurnsLeft *turns_of(const MethodUse *use, const Tree *tree, uint32_t node) {
    return method_node(use, tree, node);
}

static double mean_of(const MethodUse *use, const Tree *tree, uint32_t node) {
    return (double)atomic_load_explicit(&turns_of(use, tree, node)->mean, memory_order_relaxed);
}

static void expanded(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                     const Evaluation *evaluation) {
    uint32_t at = leaf->path[leaf->depth - 1];
    turns_of(use, &search->tree, at)->own = fmaxf(0, evaluation->moves_left);
    if (at == 0 && evaluation->moves_left < 0)
        search->refusal = "search.moves_left.* needs a net with the head moves_left, and this net "
                          "has none";
}

static void updated(const MethodUse *use, const NodeUpdate *update) {
    const Node *node = &update->tree->nodes[update->at];
    TurnsLeft *turns = turns_of(use, update->tree, update->at);
    double weight = (double)node->own_weight, sum = weight * (double)turns->own;
    for (int i = 0; i < update->count; i++) {
        const ChildStatistics *child = &update->children[i];
        weight += child->weight;
        sum += child->weight * (1 + mean_of(use, update->tree, child->edge->child));
    }
    if (weight > 0)
        atomic_store_explicit(&turns->mean, (float)(sum / weight), memory_order_relaxed);
}

/* Returns M of the node, or -1 if the absolute value of its win - loss is at most the threshold. */
static double prepare(const Choice *choice, const MethodUse *use) {
    double q = fabs((double)choice->node->win_loss);
    if (q <= choice->settings->moves_left.threshold) return -1;
    return mean_of(use, choice->tree, choice->at);
}

static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    const SearchSettings *s = choice->settings;
    if (prepared < 0 || !edge || edge->weight <= 0) return false;
    double q = choice->side * (double)edge->win_loss, threshold = s->moves_left.threshold,
           x = fmax(0, fabs(q) - threshold) / (1 - threshold),
           longer = s->moves_left.slope * (mean_of(use, choice->tree, edge->child) - prepared),
           effect =
               fmin(s->moves_left.max_effect, fmax(-s->moves_left.max_effect, longer)) *
               (s->moves_left.constant + x * (s->moves_left.linear + x * s->moves_left.quadratic));
    out->value += q > 0 ? -effect : effect;
    return false;
}

extern const SearchMethod METHOD_MOVES_LEFT;
const SearchMethod METHOD_MOVES_LEFT = {.name = "moves left",
                                        .is_on = is_on,
                                        .splits = true,
                                        .node_data_splits = true,
                                        .node_bytes = node_bytes,
                                        .prepare = prepare,
                                        .term = term,
                                        .expanded = expanded,
                                        .updated = updated};
