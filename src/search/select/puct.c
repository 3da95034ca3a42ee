#include "search/select/puct.h"

#include <math.h>

#include "search/select/utility.h"

/* These are fmax() and fmin() without their rules for NaN, which does not occur here. Without these
 * rules the compiler can inline them. */
static inline double larger(double a, double b) {
    return a > b ? a : b;
}

static inline double smaller(double a, double b) {
    return a < b ? a : b;
}

double puct_edge_weight(const Tree *tree, const Edge *edge) {
    const Node *child = &tree->nodes[edge->child];
    if (child->visits <= 0 || edge->visits <= 0) return 0;
    if (child->visits == edge->visits) return (double)child->weight;
    return (double)child->weight * edge->visits / child->visits;
}

double puct_exploration(const Frame *frame, const Node *node, double weight) {
    const SearchSettings *s = frame->settings;
    double base = s->c_puct_base;
    double c = s->c_puct;
    if (s->c_puct_log > 0) c += s->c_puct_log * log((weight + base) / base);
    double prior = s->c_puct_stdev_prior, n0 = s->c_puct_stdev_prior_weight, deviation = prior;
    if (s->c_puct_stdev_scale == 0) return c * sqrt(weight + 0.01);
    if (node->visits > 0 && node->weight > 1) {
        double u = (double)node->utility, w = (double)node->weight,
               square = larger((double)node->utility_sq, u * u);
        double variance = ((u * u + prior * prior) * n0 + square * w) / (n0 + w - 1) - u * u;
        deviation = sqrt(larger(0, variance));
    }
    return c * sqrt(weight + 0.01) * (1 + s->c_puct_stdev_scale * (deviation / prior - 1));
}

double puct_unvisited_value_of(const Frame *frame, const Node *node, double visited_policy,
                               bool root) {
    const SearchSettings *s = frame->settings;
    double base = (double)node->utility, side = side_of(node);
    double visited = smaller(1, visited_policy);
    if (s->fpu.parent_by_visited_policy) {
        double power = s->fpu.parent_pow;
        double fraction = power == 2 ? visited * visited : pow(visited, power);
        base = fraction * (double)node->utility + (1 - fraction) * (double)node->own_utility;
    } else if (s->fpu.parent_weight > 0) {
        double own = s->fpu.parent_weight;
        base = own * (double)node->own_utility + (1 - own) * (double)node->utility;
    }
    double reduction = root ? s->fpu.root_reduction : s->fpu.reduction;
    double value = base - side * reduction * sqrt(visited_policy);
    double loss =
        root && s->fpu.root_loss_fraction >= 0 ? s->fpu.root_loss_fraction : s->fpu.loss_fraction;
    return value + (-side * search_settings_range(s) - value) * loss;
}

double puct_unvisited_value(const Frame *frame, const Node *node, bool root) {
    return puct_unvisited_value_of(frame, node, (double)node->visited_policy, root);
}

/* Each descent under way counts as search.virtual_losses losses, which add weight and move the
 * utility towards a loss. With search.watch_unobserved they only add weight. */
static inline EdgeValue edge_value(const Frame *frame, const Node *node, const Edge *edge,
                                   double unvisited) {
    EdgeValue seen = {(double)edge->weight, edge->weight > 0 ? (double)edge->utility : unvisited};
    if (!edge->waiting) return seen;
    double losses = edge->waiting * frame->settings->virtual_losses,
           fraction = losses / (losses + larger(0.25, seen.weight));
    seen.weight += losses;
    if (frame->settings->watch_unobserved) return seen;
    seen.utility +=
        (-side_of(node) * search_settings_range(frame->settings) - seen.utility) * fraction;
    return seen;
}

EdgeValue puct_edge_value(const Frame *frame, const Node *node, const Edge *edge,
                          double unvisited) {
    return edge_value(frame, node, edge, unvisited);
}

int puct_select(const Frame *frame, const Tree *tree, uint32_t index, bool root) {
    const Node *node = &tree->nodes[index];
    const Edge *edges = tree->edges + node->edges;
    double total = 0, side = side_of(node), best_value = -1e300;
    double forced = root ? frame->settings->forced_playouts : 0;
    int best = -1;
    for (int i = 0; i < node->child_count; i++)
        total += (double)edges[i].weight + edges[i].waiting;
    double exploration = puct_exploration(frame, node, total);
    double unvisited = puct_unvisited_value(frame, node, root);
    for (int i = 0; i < node->child_count; i++) {
        EdgeValue seen = edge_value(frame, node, &edges[i], unvisited);
        double prior = (double)edges[i].prior;
        double value = side * seen.utility + exploration * prior / (1 + seen.weight);
        if (prior < 0) continue;
        if (puct_is_forced(forced, prior, total, seen.weight)) value = 1e20;
        if (value <= best_value) continue;
        best_value = value;
        best = i;
    }
    if (!node->next) return best;
    double value = side * unvisited + exploration * (double)tree_next_prior(node);
    return value > best_value ? node->child_count : best;
}

double puct_leaf_weight(const Frame *frame, double winloss_error, double score_error,
                        double score_mean) {
    const SearchSettings *s = frame->settings;
    if (!s->uncertainty.on || winloss_error < 0 || score_error < 0) return 1;
    double slope =
        s->static_score_factor * utility_score_slope(score_mean, 0, 2, frame->board_scale) +
        s->dynamic_score_factor * utility_score_slope(score_mean, frame->center,
                                                      s->score_center_scale, frame->board_scale);
    double error = s->win_loss_factor * winloss_error + slope * score_error;
    double coeff = s->uncertainty.coefficient;
    return coeff / (pow(error, s->uncertainty.exponent) + coeff / s->uncertainty.max_weight);
}

/* Reduces the weight of a move if it has more visits than its prior justifies, and if it is worse
 * than the mean of the moves with a higher prior, which stand before it (KataGo, noise pruning). */
static void prune_noise_visits(const SearchSettings *s, ChildStatistics *children, int count) {
    double weight = 0, value = 0, policy = 0;
    for (int i = 0; i < count; i++) {
        ChildStatistics *child = &children[i];
        double prior = larger(child->prior, 1e-30), lenient = 2 * weight * prior;
        if (weight > 0 && child->weight * policy > lenient) {
            double gap = value / weight - child->side_utility;
            if (gap > 0)
                child->weight -=
                    smaller(s->noise_pruning.cap, (child->weight - lenient / policy) *
                                                      (1 - exp(-gap / s->noise_pruning.scale)));
        }
        weight += child->weight;
        value += child->weight * child->side_utility;
        policy += prior;
    }
}

static double power_of(double x, double exponent) {
    if (exponent == 0.5) return sqrt(x);
    if (exponent == 0.25) return sqrt(sqrt(x));
    return pow(x, exponent);
}

/* Reduces the weight of bad children. A child loses more weight if, by Student's t, its value is
 * further below the mean. The total weight does not change. */
static void weigh_by_value(const SearchSettings *s, ChildStatistics *children, int count) {
    double total = 0, mean = 0, after = 0, chances[MOVES_MAX];
    double exponent = s->value_weight_exponent;
    for (int i = 0; i < count; i++) {
        total += children[i].weight;
        mean += children[i].weight * children[i].side_utility;
    }
    if (total <= 0) return;
    mean /= total;
    for (int i = 0; i < count; i++) {
        double root = sqrt(children[i].weight);
        chances[i] = (children[i].side_utility - mean) * sqrt(1.5 * root / (1 + 1.5e-8 * root));
    }
    utility_t3_all(chances, count);
    for (int i = 0; i < count; i++) {
        children[i].weight *= power_of(chances[i] + 0.0001, exponent);
        after += children[i].weight;
    }
    double scale = total / after;
    for (int i = 0; i < count; i++)
        children[i].weight *= scale;
}

/* The weight of the edge of a pass if the child has visits, but none of them counted for the edge.
 * So the value of the pass is known, but hardly counts. In the same case, the edge of a move on the
 * board has the weight 0, which means that it is unvisited (KataGo, cpp/search). */
static const float MIN_WEIGHT = 1e-30f;

void puct_take_child(const Tree *tree, Edge *edge) {
    const Node *child = &tree->nodes[edge->child];
    float weight = (float)puct_edge_weight(tree, edge);
    if (weight <= 0 && child->visits > 0 && edge->move == tree->move_count - 1) weight = MIN_WEIGHT;
    /* 1 if the edge counts all visits of the child */
    float ratio = child->weight > 0 ? weight / child->weight : 0;
    edge->weight = weight;
    edge->weight_sq = ratio * ratio * child->weight_sq;
    edge->utility = child->utility;
    edge->utility_sq = child->utility_sq;
    edge->win_loss = child->win_loss;
    edge->no_result = child->no_result;
    edge->score_mean = child->score_mean;
    edge->score_mean_sq = child->score_mean_sq;
    edge->lead = child->lead;
}

static int gather_children(const Tree *tree, const Node *node, ChildStatistics *children) {
    int count = 0;
    double side = side_of(node);
    const Edge *edges = tree->edges + node->edges;
    for (int i = 0; i < node->child_count; i++) {
        const Edge *edge = &edges[i];
        if (edge->weight <= 0) continue;
        children[count++] = (ChildStatistics){(double)edge->weight, side * (double)edge->utility,
                                              (double)edge->prior, edge};
    }
    return count;
}

void puct_prune_small(const SearchSettings *s, double *weights, int count) {
    double max = 0;
    for (int i = 0; i < count; i++)
        max = larger(max, weights[i]);
    double prune = smaller(s->move_prune, max / 64);
    double subtract = smaller(s->move_subtract, max / 64);
    for (int i = 0; i < count; i++)
        weights[i] = weights[i] < prune ? 0 : larger(0, weights[i] - subtract);
}

/* Prunes small weights at a root with noise. So moves that were visited only because of the noise
 * do not count for the value of the root. */
static void drop_noise_visits(const SearchSettings *s, ChildStatistics *children, int count) {
    double weights[MOVES_MAX];
    for (int i = 0; i < count; i++)
        weights[i] = children[i].weight;
    puct_prune_small(s, weights, count);
    for (int i = 0; i < count; i++)
        children[i].weight = weights[i];
}

void puct_set_own_utility(const Frame *frame, Node *node) {
    ValueForWhite own = {(double)node->own_win_loss, (double)node->own_no_result,
                         (double)node->own_score_mean, (double)node->own_score_mean_sq};
    node->own_utility = (float)utility_of(frame->settings, &own, frame->center, frame->board_scale);
}

static void add_child(NodeSums *sums, const ChildStatistics *child) {
    const Edge *edge = child->edge;
    double w = child->weight, ratio = w / (double)edge->weight;
    sums->weight += w;
    sums->weight_sq += ratio * ratio * (double)edge->weight_sq;
    sums->win_loss += w * (double)edge->win_loss;
    sums->no_result += w * (double)edge->no_result;
    sums->score_mean += w * (double)edge->score_mean;
    sums->score_mean_sq += w * (double)edge->score_mean_sq;
    sums->lead += w * (double)edge->lead;
    sums->utility += w * (double)edge->utility;
    sums->utility_sq += w * (double)edge->utility_sq;
}

/* The sums that a node begins with. In a node where the game has ended, the value counts once for
 * each visit. In any other node, the value from the node's own evaluation counts only once. */
static NodeSums own_sums(const Node *node) {
    double w = (double)node->own_weight, u = (double)node->own_utility, square = w * w;
    if (node->state == NODE_TERMINAL) {
        w *= node->visits;
        square *= node->visits;
    }
    return (NodeSums){w,
                      square,
                      w * (double)node->own_win_loss,
                      w * (double)node->own_no_result,
                      w * (double)node->own_score_mean,
                      w * (double)node->own_score_mean_sq,
                      w * (double)node->own_lead,
                      w * u,
                      w * u * u};
}

/* Sets the averages of the node to the weighted means. */
static void set_averages(const SearchSettings *s, Node *node, const NodeSums *sums) {
    double scale = 1 / sums->weight;
    node->weight = (float)sums->weight;
    node->weight_sq = (float)sums->weight_sq;
    node->win_loss = (float)(sums->win_loss * scale);
    node->no_result = (float)(sums->no_result * scale);
    node->score_mean = (float)(sums->score_mean * scale);
    node->score_mean_sq = (float)(sums->score_mean_sq * scale);
    node->lead = (float)(sums->lead * scale);
    node->utility = (float)(sums->utility * scale);
    node->utility_sq = (float)(sums->utility_sq * scale);
    if (s->uncertainty.normalise) {
        double once = node->visits * scale;
        node->weight = (float)node->visits;
        node->weight_sq = (float)(sums->weight_sq * once * once);
    }
}

/* The sums after the methods changed them. The sums are passed by value. With a pointer, the
 * compiler could not keep them in registers, even in searches without such methods. */
static NodeSums changed_sums(const NodeUpdate *update, NodeSums sums) {
    const MethodList *methods = &update->frame->methods->sums;
    for (int i = 0; i < methods->count; i++)
        methods->uses[i]->method->sum(methods->uses[i], update, &sums);
    return sums;
}

static void run_updated_hooks(const NodeUpdate *update) {
    const MethodList *methods = &update->frame->methods->updates;
    for (int i = 0; i < methods->count; i++)
        methods->uses[i]->method->updated(methods->uses[i], update);
}

/* Writes the children that count for the value of a node, with their weights. */
static inline int weigh_children(const Frame *frame, const Tree *tree, const Node *node, bool root,
                                 ChildStatistics *children) {
    const SearchSettings *s = frame->settings;
    int count = gather_children(tree, node, children);
    if (s->noise_pruning.on)
        prune_noise_visits(s, children, count);
    else if (root && s->noise.on)
        drop_noise_visits(s, children, count);
    if (s->value_weight_exponent > 0 && count > 1) weigh_by_value(s, children, count);
    return count;
}

/* Computes the averages of a node in five steps:
 * 1. Each child counts with the weight of its visits through this node.
 * 2. Children that were only visited because of noise, or that are bad, lose weight.
 * 3. The node's own value and those of the children are added up, each times its weight.
 * 4. Methods change the sums.
 * 5. The means are stored, and methods see them. */
void puct_update(const Frame *frame, Tree *tree, uint32_t index, bool root) {
    Node *node = &tree->nodes[index];
    const MethodSet *methods = frame->methods;
    NodeSums sums = own_sums(node);
    ChildStatistics children[MOVES_MAX];
    int count = weigh_children(frame, tree, node, root, children);
    for (int i = 0; i < count; i++)
        add_child(&sums, &children[i]);
    if (sums.weight <= 0) return;
    const NodeUpdate update = {frame, tree, index, root, children, count};
    if (methods && methods->sums.count) sums = changed_sums(&update, sums);
    set_averages(frame->settings, node, &sums);
    if (methods && methods->updates.count) run_updated_hooks(&update);
}

double puct_value_weights(const Frame *frame, const Tree *tree, uint32_t index, double *weights) {
    const Node *node = &tree->nodes[index];
    const Edge *edges = tree->edges + node->edges;
    ChildStatistics children[MOVES_MAX];
    int count = weigh_children(frame, tree, node, index == 0, children);
    for (int i = 0; i < node->child_count; i++)
        weights[i] = 0;
    for (int i = 0; i < count; i++)
        weights[children[i].edge - edges] = children[i].weight;
    return own_sums(node).weight;
}

void puct_recompute(const Frame *frame, Tree *tree, uint32_t index, bool root) {
    Edge *edges = tree->edges + tree->nodes[index].edges;
    for (int i = 0; i < tree->nodes[index].child_count; i++)
        puct_take_child(tree, &edges[i]);
    puct_update(frame, tree, index, root);
}
