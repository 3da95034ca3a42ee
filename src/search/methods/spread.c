#include "search/methods/spread.h"

#include <math.h>
#include <string.h>

#include "search/core/search_private.h"

static bool in_buckets(const Spread *spread) {
    return spread->settings->regret.spread != SPREAD_VARIANCE;
}

size_t spread_bytes(const SearchSettings *settings) {
    if (settings->regret.rule == REGRET_OFF) return 0;
    if (settings->regret.spread == SPREAD_VARIANCE) return 3 * sizeof(float);
    size_t lists = settings->regret.spread == SPREAD_NET ? 2 : 1,
           buckets = lists * (size_t)settings->regret.buckets;
    return (sizeof(float) + buckets * sizeof(uint16_t) + 3) / 4 * 4;
}

/* Returns the first number in the method's data of a node: the deviation of the node's own
 * distribution. */
static float *own_deviation(const Spread *spread, const Tree *tree, uint32_t node) {
    return (float *)(void *)((unsigned char *)tree_method_data(tree, node) + spread->node_at);
}

/* Returns the numbers after the node's own deviation: with SPREAD_VARIANCE these are the mean and
 * the mean square of the node's distribution. */
static float *moments_of(const Spread *spread, const Tree *tree, uint32_t node) {
    return own_deviation(spread, tree, node) + 1;
}

/* Returns the numbers after the node's own deviation if distributions are kept in buckets. For each
 * bucket there is the fraction of the node's distribution that lies in the bucket, times 65535. */
static uint16_t *fractions_of(const Spread *spread, const Tree *tree, uint32_t node) {
    return (uint16_t *)(void *)(own_deviation(spread, tree, node) + 1);
}

void spread_set_own(const Spread *spread, Tree *tree, uint32_t node, double error) {
    *own_deviation(spread, tree, node) = (float)error;
}

/* Returns the fractions of the distribution that the net gave to the node. They follow the numbers
 * of fractions_of(); nodes have them only with SPREAD_NET. */
static uint16_t *own_fractions_of(const Spread *spread, const Tree *tree, uint32_t node) {
    return fractions_of(spread, tree, node) + spread->settings->regret.buckets;
}

void spread_set_own_buckets(const Spread *spread, Tree *tree, uint32_t node,
                            const float from[EVALUATION_BUCKETS]) {
    int count = spread->settings->regret.buckets;
    uint16_t *own = own_fractions_of(spread, tree, node);
    for (int k = 0; k < count; k++) {
        double low = (double)k * EVALUATION_BUCKETS / count,
               high = (double)(k + 1) * EVALUATION_BUCKETS / count, sum = 0;
        for (int i = (int)low; i < EVALUATION_BUCKETS && i < high; i++)
            sum += (double)from[i] * (fmin(high, i + 1) - fmax(low, i));
        own[k] = (uint16_t)lrint(65535 * fmin(1, sum));
    }
}

static double normal_below(double z) {
    return 0.5 * erfc(-z / sqrt(2));
}

/* Adds a normal distribution to buckets of equal width. The part of the distribution beyond the
 * buckets goes to the first or the last bucket. */
static void add_normal(double mean, double deviation, double weight, double *buckets, int count) {
    double before = 0;
    for (int i = 0; i < count; i++) {
        double edge = -1 + 2.0 * (i + 1) / count, gap = edge - mean;
        double until = i + 1 == count  ? 1
                       : deviation > 0 ? normal_below(gap / deviation)
                                       : (gap > 0 ? 1.0 : 0.0);
        buckets[i] += weight * (until - before);
        before = until;
    }
}

SpreadSum spread_begin(const Spread *spread, Tree *tree, uint32_t index) {
    const Node *node = &tree->nodes[index];
    double w = (double)node->own_weight, mean = (double)node->own_win_loss,
           deviation = (double)*own_deviation(spread, tree, index);
    if (node->state == NODE_TERMINAL) w *= node->visits;
    SpreadSum sum = {.spread = spread, .tree = tree, .node = index, .weight = w};
    sum.mean = w * mean;
    sum.square = w * (mean * mean + deviation * deviation);
    int count = spread->settings->regret.buckets;
    if (spread->settings->regret.spread == SPREAD_NET && node->state != NODE_TERMINAL) {
        const uint16_t *own = own_fractions_of(spread, tree, index);
        for (int i = 0; i < count; i++)
            sum.buckets[i] += w * own[i] / 65535;
    } else if (in_buckets(spread)) {
        add_normal(mean, deviation, w, sum.buckets, count);
    }
    return sum;
}

void spread_add(SpreadSum *sum, uint32_t index, double weight) {
    const Node *node = &sum->tree->nodes[sum->node], *child = &sum->tree->nodes[index];
    const SearchSettings *s = sum->spread->settings;
    if (weight <= 0) return;
    if (s->regret.worse_only &&
        side_of(node) * (double)child->win_loss >= side_of(node) * (double)node->win_loss)
        return;
    sum->weight += weight;
    if (in_buckets(sum->spread)) {
        const uint16_t *fractions = fractions_of(sum->spread, sum->tree, index);
        for (int i = 0; i < s->regret.buckets; i++)
            sum->buckets[i] += weight * fractions[i] / 65535;
        return;
    }
    const float *moments = moments_of(sum->spread, sum->tree, index);
    sum->mean += weight * (double)moments[0];
    sum->square += weight * (double)moments[1];
}

void spread_end(const SpreadSum *sum) {
    if (sum->weight <= 0) return;
    if (!in_buckets(sum->spread)) {
        float *moments = moments_of(sum->spread, sum->tree, sum->node);
        moments[0] = (float)(sum->mean / sum->weight);
        moments[1] = (float)(sum->square / sum->weight);
        return;
    }
    uint16_t *fractions = fractions_of(sum->spread, sum->tree, sum->node);
    for (int i = 0; i < sum->spread->settings->regret.buckets; i++)
        fractions[i] = (uint16_t)lrint(65535 * sum->buckets[i] / sum->weight);
}

typedef struct {
    const Tree *tree;
    double side, *buckets;
    int count;
} Counting;

static void count_value(const Counting *c, double win_loss, double weight) {
    int at = (int)floor((1 + c->side * win_loss) / 2 * c->count);
    c->buckets[at < 0 ? 0 : at >= c->count ? c->count - 1 : at] += weight;
}

static bool has_value(const Tree *tree, const Edge *edge) {
    uint8_t state = tree->nodes[edge->child].state;
    return state == NODE_EXPANDED || state == NODE_TERMINAL;
}

/* `weight` is the number of visits that came to the node. Divides it among the node's own
 * evaluation and its children, in proportion to their visits. */
static void count_below(const Counting *c, uint32_t index, double weight) {
    const Node *node = &c->tree->nodes[index];
    const Edge *edges = c->tree->edges + node->edges;
    double visits = 1;
    /* A weight below one visit occurs if nodes are shared, or if visits by the human policy do not
     * count for the edge that they follow. */
    if (node->state == NODE_TERMINAL || weight < 0.5) {
        bool end = node->state == NODE_TERMINAL;
        count_value(c, (double)(end ? node->own_win_loss : node->win_loss), weight);
        return;
    }
    for (int i = 0; i < node->child_count; i++)
        visits += has_value(c->tree, &edges[i]) ? edges[i].visits : 0;
    count_value(c, (double)node->own_win_loss, weight / visits);
    for (int i = 0; i < node->child_count; i++) {
        if (has_value(c->tree, &edges[i]) && edges[i].visits > 0)
            count_below(c, edges[i].child, weight * edges[i].visits / visits);
    }
}

void spread_count(const Tree *tree, uint32_t node, double side, double *buckets, int count) {
    const Counting counting = {tree, side, buckets, count};
    memset(buckets, 0, (size_t)count * sizeof *buckets);
    count_below(&counting, node, tree->nodes[node].visits);
}

double spread_normal_regret(double mean, double deviation, double q) {
    double gap = q - mean;
    if (deviation <= 0) return gap < 0 ? -gap : 0;
    double z = gap / deviation, density = exp(-0.5 * z * z) * 0.39894228040143268;
    return deviation * density - gap * normal_below(-z);
}

double spread_regret(const Spread *spread, const Tree *tree, uint32_t node, Color color, double q) {
    double side = color == COLOR_WHITE ? 1 : -1, sum = 0;
    if (!in_buckets(spread)) {
        const float *moments = moments_of(spread, tree, node);
        double mean = (double)moments[0], variance = (double)moments[1] - mean * mean;
        return spread_normal_regret(side * mean, variance > 0 ? sqrt(variance) : 0, q);
    }
    const uint16_t *fractions = fractions_of(spread, tree, node);
    int count = spread->settings->regret.buckets;
    for (int i = 0; i < count; i++) {
        double value = side * (-1 + (2.0 * i + 1) / count), gain = value - q;
        if (gain > 0) sum += gain * fractions[i] / 65535;
    }
    return sum;
}

static bool is_on(const SearchSettings *settings, const void *state) {
    (void)state;
    return settings->regret.rule != REGRET_OFF;
}

static Spread spread_of(const SearchSettings *settings, const MethodUse *use) {
    return (Spread){settings, use->node_at};
}

static void expanded(Search *search, const MethodUse *use, const PendingLeaf *leaf,
                     const Evaluation *evaluation) {
    const Spread spread = spread_of(&search->settings, use);
    uint32_t node = leaf->path[leaf->depth - 1];
    if (search->settings.regret.spread == SPREAD_NET) {
        float of_white[EVALUATION_BUCKETS] = {0};
        bool flip = search->tree.nodes[node].mover != COLOR_WHITE;
        for (int i = 0; evaluation->has_value_buckets && i < EVALUATION_BUCKETS; i++)
            of_white[i] = evaluation->value_buckets[flip ? EVALUATION_BUCKETS - 1 - i : i];
        spread_set_own_buckets(&spread, &search->tree, node, of_white);
        if (!evaluation->has_value_buckets)
            search->refusal = "search.regret.spread = net needs a net with the head value_buckets, "
                              "and this net has none";
        return;
    }
    spread_set_own(&spread, &search->tree, node, (double)evaluation->shortterm_winloss_error);
    if (evaluation->shortterm_winloss_error < 0)
        search->refusal =
            "search.regret.rule needs a net with heads of short-term errors, and this net has none";
}

static void updated(const MethodUse *use, const NodeUpdate *update) {
    const Spread spread = spread_of(update->frame->settings, use);
    SpreadSum sum = spread_begin(&spread, update->tree, update->at);
    for (int i = 0; i < update->count; i++)
        spread_add(&sum, update->children[i].edge->child, update->children[i].weight);
    spread_end(&sum);
}

/* Returns the bonus that search.regret.rule gives to a move with `visits` visits. The bonus is
 * proportional to the regret of the distribution at `node`; q is the mean value of `node`. */
static double regret_term(const Choice *choice, const MethodUse *use, uint32_t node, double visits,
                          double q) {
    const SearchSettings *s = choice->settings;
    const Spread spread = spread_of(s, use);
    double n = fmax(1, visits), all = choice->node->visits;
    double regret = spread_regret(&spread, choice->tree, node, (Color)choice->node->mover, q);
    if (s->regret.rule == REGRET_EXPLORE) return regret / (n * sqrt(n));
    if (s->regret.rule == REGRET_STRONG) return s->regret.weight * all * regret / (n * sqrt(n));
    return s->regret.weight * pow(all, s->regret.power) * regret / n;
}

/* For a move without a value, the regret is that of the parent's distribution. */
static bool term(const Choice *choice, const MethodUse *use, double prepared, const Edge *edge,
                 Term *out) {
    (void)prepared;
    bool known = edge && edge->weight > 0;
    const Node *from = known ? &choice->tree->nodes[edge->child] : choice->node;
    double gain =
        regret_term(choice, use, known ? edge->child : choice->at,
                    edge ? edge->visits + edge->waiting : 1, choice->side * (double)from->win_loss);
    bool alone = choice->settings->regret.rule == REGRET_EXPLORE; /* replaces value and prior */
    out->value = alone ? gain : out->value + gain;
    return alone;
}

const SearchMethod METHOD_REGRET = {.name = "regret",
                                    .is_on = is_on,
                                    .node_bytes = spread_bytes,
                                    .expanded = expanded,
                                    .term = term,
                                    .updated = updated};
