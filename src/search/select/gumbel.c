/* Gumbel's halving at the root goes as follows:
 * 1. gumbel_begin() computes g + ln P for each move, where g is Gumbel noise that it draws, and P
 *    is the prior. The moves with the largest sums become candidates. If a kept tree has values q,
 *    sigma(q) is added to the sums.
 * 2. gumbel_select() divides the visits into rounds (halving.h). In a round each remaining
 *    candidate gets the same number of visits. The half of the candidates with the larger g + ln P
 *    + sigma(q) stays for the next round.
 * 3. The visits that the candidates have had tell which round it is. So the round is not stored,
 *    and several visits may be under way at once.
 * 4. A round is settled if its better half is known with enough confidence; gumbel_end_round() in
 *    gumbel.h describes the test. gumbel_end_round() ends a settled round early, and
 *    gumbel_extend_round() extends a round that is not settled. Both change Candidate.base: the
 *    halving counts the visits of a candidate from this number on.
 * 5. gumbel_choice() returns the move to play, and gumbel_improved() writes the policy target. */
#include "search/select/gumbel.h"

#include <math.h>
#include <stdlib.h>

#include "base/statistic.h"

/* Smaller priors count as this prior, so that their logarithms are finite. */
static const float MIN_PRIOR = 1e-30f;

/* A round is not settled while one of its moves has fewer visits than this. */
enum { STOP_MIN_VISITS = 10 };

double gumbel_sigma(const SearchSettings *settings, int64_t max_visits, double q) {
    double visits = (double)max_visits;
    if (settings->gumbel.sigma == GUMBEL_SIGMA_LOG) visits = visits > 1 ? 2 * log(visits) : 0;
    return (settings->gumbel.visit_offset + visits) * settings->gumbel.visit_scale * q;
}

double gumbel_mixed_value(double own, int64_t visits, double sum_prior, double sum_prior_value) {
    if (visits <= 0 || sum_prior <= 0) return own;
    return (own + (double)visits * sum_prior_value / sum_prior) / (double)(1 + visits);
}

void gumbel_override(SearchSettings *settings) {
    settings->noise.on = settings->target_pruning = settings->lcb.on = false;
    settings->forced_playouts = 0;
    settings->root_temperature = settings->root_temperature_early = 1;
}

/* The numbers from which sigma and the completed values of a node are computed. */
typedef struct {
    double range, side, mixed;
    double min, span; /* the smallest completed value, and the largest minus the smallest; 0 and 1
                       * if values are not rescaled */
    int64_t visits, max;
    bool raw;
} Summary;

/* Turns White's utility into the mover's value on [0, 1], or into the mover's utility if `raw`. */
static double value_of(const Summary *summary, double utility) {
    if (summary->raw) return summary->side * utility;
    return 0.5 + 0.5 * summary->side * utility / summary->range;
}

/* Sets `min` and `span` so that the smallest completed value becomes 0 and the largest 1. */
static void rescale_values(Summary *summary, const Tree *tree, const Node *node) {
    double min = HUGE_VAL, max = -HUGE_VAL;
    bool unvisited = node->next != 0;
    for (int i = 0; i < node->child_count; i++) {
        const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
        if (edge->prior < 0) continue;
        unvisited |= edge->visits <= 0;
        if (edge->visits <= 0) continue;
        double value = value_of(summary, (double)edge->utility);
        min = fmin(min, value);
        max = fmax(max, value);
    }
    if (unvisited) {
        min = fmin(min, summary->mixed);
        max = fmax(max, summary->mixed);
    }
    if (min > max) return;
    summary->min = min;
    summary->span = fmax(max - min, 1e-8);
}

static Summary summarise(const Frame *frame, const Tree *tree, const Node *node) {
    const SearchSettings *s = frame->settings;
    Summary summary = {
        .side = side_of(node), .span = 1, .raw = s->gumbel.sigma == GUMBEL_SIGMA_RAW};
    double prior = 0, value = 0;
    summary.range = fmax(1e-6, search_settings_range(s));
    for (int i = 0; i < node->child_count; i++) {
        const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
        if (edge->visits <= 0 || edge->prior < 0) continue;
        double p = fmax((double)edge->prior, (double)MIN_PRIOR);
        summary.visits += edge->visits;
        if (edge->visits > summary.max) summary.max = edge->visits;
        prior += p;
        value += p * value_of(&summary, (double)edge->utility);
    }
    summary.mixed = gumbel_mixed_value(value_of(&summary, (double)node->own_utility),
                                       summary.visits, prior, value);
    if (s->gumbel.sigma == GUMBEL_SIGMA_RESCALED) rescale_values(&summary, tree, node);
    return summary;
}

/* Returns sigma of the completed value of a move. The completed value is the move's value if the
 * move was visited, and otherwise the mixed value. */
static double sigma_of(const Frame *frame, const Summary *summary, const Edge *edge) {
    double q = edge && edge->visits > 0 ? value_of(summary, (double)edge->utility) : summary->mixed;
    return gumbel_sigma(frame->settings, summary->max, (q - summary->min) / summary->span);
}

static const Edge *edge_at(const Tree *tree, int index) {
    return index < 0 ? NULL : &tree->edges[tree->nodes[0].edges + (uint32_t)index];
}

static int edge_of_move(const Tree *tree, int move) {
    for (int i = 0; i < tree->nodes[0].child_count; i++) {
        if (edge_at(tree, i)->move == move) return i;
    }
    return -1;
}

/* Adds the move with the largest number in `ranks` to the candidates. Sets this number to
 * -infinity, so that the move is not added again. Returns false if no move is left. */
static bool add_candidate(Gumbel *gumbel, const Tree *tree, double *ranks) {
    int best = -1;
    for (int i = 0; i < gumbel->move_count; i++) {
        if (ranks[i] > -1e300 && (best < 0 || ranks[i] > ranks[best])) best = i;
    }
    if (best < 0) return false;
    ranks[best] = -HUGE_VAL;
    int edge = edge_of_move(tree, best);
    int32_t visits = edge < 0 ? 0 : edge_at(tree, edge)->visits;
    gumbel->candidates[gumbel->count++] =
        (Candidate){(int16_t)best, (int16_t)edge, false, visits, visits};
    return true;
}

/* Draws the candidates for search.level.draw; see gumbel_begin(). */
static void draw_candidates(Gumbel *gumbel, const Tree *tree, double temperature, int max,
                            Rng *rng) {
    double weights[MOVES_MAX], ranks[MOVES_MAX], largest = -HUGE_VAL;
    int pass = gumbel->move_count - 1;
    for (int i = 0; i < pass; i++)
        largest = fmax(largest, (double)gumbel->logits[i]);
    for (int i = 0; i <= pass; i++) {
        weights[i] = i == pass || largest == -HUGE_VAL
                         ? 0
                         : exp(((double)gumbel->logits[i] - largest) / temperature);
        ranks[i] = -HUGE_VAL;
    }
    int draws = max > 2 ? max - 1 : 1;
    for (int i = 0; i < draws && largest > -HUGE_VAL; i++)
        ranks[rng_pick(rng, weights, pass)] = 1;
    if (isfinite(gumbel->logits[pass])) ranks[pass] = 0;
    while (add_candidate(gumbel, tree, ranks))
        ;
}

void gumbel_begin(Gumbel *gumbel, const Frame *frame, const Tree *tree, const float *policy,
                  int64_t simulations, Rng *rng) {
    const SearchSettings *s = frame->settings;
    Summary summary = summarise(frame, tree, tree->nodes);
    double ranks[MOVES_MAX], scale = s->gumbel.scale;
    gumbel->count = 0;
    gumbel->extension_from = 0;
    gumbel->move_count = tree->move_count;
    for (int i = 0; i < tree->move_count; i++) {
        bool legal = policy[i] >= 0;
        gumbel->logits[i] = legal ? logf(fmaxf(policy[i], MIN_PRIOR)) : -INFINITY;
        double noise = legal && scale > 0 ? -log(fmax(rng_exponential(rng), 1e-300)) : 0;
        gumbel->scores[i] = (float)((double)gumbel->logits[i] + scale * noise);
        /* Values of a kept tree count here. Without a kept tree, sigma is equal for all moves. */
        const Edge *edge = edge_at(tree, edge_of_move(tree, i));
        ranks[i] = (double)gumbel->scores[i] + sigma_of(frame, &summary, edge);
    }
    gumbel->grows = simulations < 0 && s->gumbel.min_visits > 0;
    gumbel->simulations = gumbel->grows     ? 2 * (int64_t)s->gumbel.min_visits
                          : simulations > 0 ? simulations
                                            : INT64_MAX / 2;
    int max = halving_considered(s, gumbel->simulations, s->gumbel.considered);
    if (s->level.draw) draw_candidates(gumbel, tree, s->level.temperature, max, rng);
    while (!s->level.draw && gumbel->count < max && add_candidate(gumbel, tree, ranks))
        ;
    if (simulations > 0 || gumbel->grows) return;
    gumbel->simulations =
        (int64_t)halving_rounds(s, gumbel->count) * (gumbel->count + !gumbel->count);
}

/* The visits of a candidate, including those under way. */
static int32_t visits_of(const Tree *tree, const Candidate *candidate) {
    const Edge *edge = edge_at(tree, candidate->edge);
    return edge ? edge->visits + edge->waiting : 0;
}

/* Sets ranks[i] to noise + logit of move i, or to -infinity if the move is a candidate. */
static void rank_others(const Gumbel *gumbel, double *ranks) {
    for (int i = 0; i < gumbel->move_count; i++)
        ranks[i] = (double)gumbel->scores[i];
    for (int i = 0; i < gumbel->count; i++)
        ranks[gumbel->candidates[i].move] = -HUGE_VAL;
}

/* Replaces candidates that turned out illegal by the next best moves. */
static void replace_illegal(Gumbel *gumbel, const Tree *tree) {
    double ranks[MOVES_MAX];
    for (int k = 0; k < gumbel->count; k++) {
        Candidate *candidate = &gumbel->candidates[k];
        const Edge *edge = edge_at(tree, candidate->edge);
        if (candidate->out || !edge || edge->prior >= 0) continue;
        candidate->out = true;
        gumbel->scores[candidate->move] = gumbel->logits[candidate->move] = -INFINITY;
        if (gumbel->count == gumbel->move_count) continue;
        rank_others(gumbel, ranks);
        int count = gumbel->count;
        if (!add_candidate(gumbel, tree, ranks)) continue;
        *candidate = gumbel->candidates[count];
        gumbel->count = count;
    }
}

/* How many simulations this halving has had so far. Sets *legal to the number of legal
 * candidates. */
static int64_t simulations_done(const Gumbel *gumbel, const Tree *tree, int *legal) {
    int64_t t = 0;
    *legal = 0;
    for (int i = 0; i < gumbel->count; i++) {
        t += visits_of(tree, &gumbel->candidates[i]) - gumbel->candidates[i].base;
        *legal += !gumbel->candidates[i].out;
    }
    return t;
}

/* Adds candidates at the start of a new halving, which has enough visits for more candidates. */
static void add_candidates_for_halving(Gumbel *gumbel, const SearchSettings *settings,
                                       const Tree *tree, int legal) {
    double ranks[MOVES_MAX];
    int more =
        halving_considered(settings, gumbel->simulations, settings->gumbel.considered) - legal;
    rank_others(gumbel, ranks);
    while (more > 0 && gumbel->count < gumbel->move_count && add_candidate(gumbel, tree, ranks))
        more--;
}

/* Returns how many visits a candidate should already have had in this halving when it is chosen for
 * the next simulation. Begins a new halving if the last one has ended. */
static int64_t wanted_visits(Gumbel *gumbel, const SearchSettings *settings, const Tree *tree) {
    int legal;
    int64_t t = simulations_done(gumbel, tree, &legal);
    if (t >= gumbel->simulations) {
        for (int i = 0; i < gumbel->count; i++)
            gumbel->candidates[i].base = visits_of(tree, &gumbel->candidates[i]);
        gumbel->simulations *= 2;
        gumbel->extension_from = t = 0;
        if (gumbel->grows) add_candidates_for_halving(gumbel, settings, tree, legal);
        (void)simulations_done(gumbel, tree, &legal);
    }
    HalvingRound round = halving_round(settings, gumbel->simulations, legal, t);
    return round.visits + (t - round.start) / round.left;
}

/* A candidate of a round. `rank` is g + ln P + sigma(q) of the candidate. The bounds of `rank` are
 * rank - radius and rank + radius. */
typedef struct {
    Candidate *candidate;
    double rank, radius;
} Ranked;

/* The mean of the move's values lies in an interval with the probability 1 - 2 tail. Returns half
 * of the length of this interval, on the scale of Ranked.rank. */
static double radius_of(const Frame *frame, const Summary *summary, const Edge *edge, double tail) {
    double utility = student_half_width((double)edge->utility, (double)edge->utility_sq,
                                        edge->visits, tail),
           q = summary->raw ? utility : 0.5 * utility / summary->range;
    return gumbel_sigma(frame->settings, summary->max, q / summary->span);
}

/* Writes the candidates that have had exactly `visits` visits in this halving, the best first, and
 * returns how many there are. Returns 0 if one of them has fewer than STOP_MIN_VISITS visits. */
static int rank_round(Gumbel *gumbel, const Frame *frame, const Tree *tree, int64_t visits,
                      double tail, Ranked *out) {
    Summary summary = summarise(frame, tree, tree->nodes);
    int count = 0;
    for (int i = 0; i < gumbel->count; i++) {
        Candidate *candidate = &gumbel->candidates[i];
        const Edge *edge = edge_at(tree, candidate->edge);
        if (candidate->out || visits_of(tree, candidate) - candidate->base != visits) continue;
        if (!edge || edge->visits < STOP_MIN_VISITS) return 0;
        Ranked ranked = {candidate,
                         (double)gumbel->scores[candidate->move] + sigma_of(frame, &summary, edge),
                         radius_of(frame, &summary, edge, tail)};
        int at = count++;
        for (; at > 0 && out[at - 1].rank < ranked.rank; at--)
            out[at] = out[at - 1];
        out[at] = ranked;
    }
    return count;
}

/* Whether no upper bound in the lower half of the moves is above the largest lower bound in the
 * upper half. */
static bool is_settled(const Ranked *ranked, int count) {
    double upper = -HUGE_VAL, lower = -HUGE_VAL;
    for (int i = 0; i < count; i++) {
        if (i < count / 2)
            upper = fmax(upper, ranked[i].rank - ranked[i].radius);
        else
            lower = fmax(lower, ranked[i].rank + ranked[i].radius);
    }
    return lower <= upper;
}

/* Returns the probability that, in a round of k moves, the mean of a move lies beyond one end of
 * its interval. */
static double tail_of(const SearchSettings *s, int considered, int64_t k) {
    double confidence = pow(s->gumbel.stop_confidence, 1.0 / halving_rounds(s, considered));
    return (1 - confidence) / (double)(k / 2) / 2;
}

int64_t gumbel_end_round(Gumbel *gumbel, const Frame *frame, const Tree *tree) {
    const SearchSettings *s = frame->settings;
    Ranked ranked[MOVES_MAX];
    int legal;
    int64_t t = simulations_done(gumbel, tree, &legal);
    bool off = s->gumbel.stop_confidence <= 0 || s->gumbel.over_search > 1;
    if (off || t >= gumbel->simulations) return 0;
    HalvingRound round = halving_round(s, gumbel->simulations, legal, t);
    int64_t k = round.left, step = (round.each + 3) / 4, done = t - round.start;
    if (k < 2 || !done || done % (k * step)) return 0;
    double tail = tail_of(s, legal, k);
    int count = rank_round(gumbel, frame, tree, round.visits + done / k, tail, ranked);
    if (count != k || !is_settled(ranked, count)) return 0;
    int64_t end = round.start + round.each * k;
    for (int i = 0; i < count; i++) /* as if each move had had its remaining visits of the round */
        ranked[i].candidate->base -= (int32_t)((end - t) / k);
    return (end < gumbel->simulations ? end : gumbel->simulations) - t;
}

static bool is_under_way(const Gumbel *gumbel, const Tree *tree) {
    for (int i = 0; i < gumbel->count; i++) {
        const Edge *edge = edge_at(tree, gumbel->candidates[i].edge);
        if (edge && edge->waiting) return true;
    }
    return false;
}

/* For each move that has had `visits` visits in this halving, counts `fewer` visits less. Returns
 * how many moves these are. */
static int64_t reduce_counted_visits(Gumbel *gumbel, const Tree *tree, int64_t visits,
                                     int64_t fewer) {
    int64_t count = 0;
    for (int i = 0; i < gumbel->count; i++) {
        Candidate *candidate = &gumbel->candidates[i];
        if (candidate->out || visits_of(tree, candidate) - candidate->base != visits) continue;
        candidate->base += (int32_t)fewer;
        count++;
    }
    return count;
}

int64_t gumbel_extend_round(Gumbel *gumbel, const Frame *frame, const Tree *tree) {
    const SearchSettings *s = frame->settings;
    Ranked ranked[MOVES_MAX];
    int legal;
    int64_t t = simulations_done(gumbel, tree, &legal);
    if (s->gumbel.stop_confidence <= 0 || s->gumbel.over_search <= 1 || !t ||
        t > gumbel->simulations || is_under_way(gumbel, tree))
        return 0;
    HalvingRound round = halving_round(s, gumbel->simulations, legal, t - 1);
    int64_t k = round.left, quarter = (round.each + 3) / 4, visits = round.visits + round.each,
            max = (int64_t)((double)round.each * (s->gumbel.over_search - 1));
    if (k < 2 || t != round.start + round.each * k) return 0;
    if (gumbel->extension_from != t) gumbel->extension = 0;
    gumbel->extension_from = t;
    int64_t more = quarter < max - gumbel->extension ? quarter : max - gumbel->extension;
    int count = rank_round(gumbel, frame, tree, visits, tail_of(s, legal, k), ranked);
    if (more < 1 || (count && is_settled(ranked, count))) return 0;
    if (count && count != k) return 0;
    gumbel->extension += more;
    return more * reduce_counted_visits(gumbel, tree, visits, more);
}

int gumbel_select(Gumbel *gumbel, const Frame *frame, Tree *tree, TreeSlab *slab) {
    replace_illegal(gumbel, tree);
    Summary summary = summarise(frame, tree, tree->nodes);
    int64_t wanted = wanted_visits(gumbel, frame->settings, tree), best_gap = INT64_MAX;
    double best_value = -HUGE_VAL;
    Candidate *best = NULL;
    for (int i = 0; i < gumbel->count; i++) {
        Candidate *candidate = &gumbel->candidates[i];
        if (candidate->out) continue;
        int64_t gap = llabs(visits_of(tree, candidate) - candidate->base - wanted);
        double value = (double)gumbel->scores[candidate->move] +
                       sigma_of(frame, &summary, edge_at(tree, candidate->edge));
        if (gap > best_gap || (gap == best_gap && value <= best_value)) continue;
        best_gap = gap;
        best_value = value;
        best = candidate;
    }
    if (!best) return -1;
    if (best->edge < 0)
        best->edge = (int16_t)tree_add_child_of_in(tree, slab, 0, best->move,
                                                   color_other((Color)tree->nodes[0].mover));
    return best->edge;
}

int gumbel_select_inner(const Frame *frame, const Tree *tree, uint32_t index) {
    const Node *node = &tree->nodes[index];
    Summary summary = summarise(frame, tree, node);
    double unvisited = sigma_of(frame, &summary, NULL), max = unvisited;
    double weights[MOVES_MAX], best_value = -1e300;
    int64_t visits = summary.visits;
    int best = -1;
    for (int i = 0; i < node->child_count; i++) {
        const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
        weights[i] = sigma_of(frame, &summary, edge);
        max = fmax(max, weights[i]);
        visits += edge->waiting;
    }
    /* All moves without a node have the mixed value. The sum of their priors is 1 minus that of the
     * other moves. */
    double lift = exp(unvisited - max);
    double total = lift * fmax(0, 1 - (double)node->visited_policy);
    for (int i = 0; i < node->child_count; i++) {
        double prior = (double)tree->edges[node->edges + (uint32_t)i].prior;
        weights[i] = fmax(0, prior) * exp(weights[i] - max);
        total += weights[i];
    }
    for (int i = 0; i < node->child_count; i++) {
        const Edge *edge = &tree->edges[node->edges + (uint32_t)i];
        double value = weights[i] / fmax(total, 1e-300) -
                       (double)(edge->visits + edge->waiting) / (double)(1 + visits);
        if (edge->prior < 0 || value <= best_value) continue;
        best_value = value;
        best = i;
    }
    if (!node->next) return best;
    double value = lift * (double)tree_next_prior(node) / fmax(total, 1e-300);
    return value > best_value ? node->child_count : best;
}

static bool is_candidate(const Gumbel *gumbel, int move) {
    for (int i = 0; i < gumbel->count; i++) {
        if (gumbel->candidates[i].move == move && !gumbel->candidates[i].out) return true;
    }
    return false;
}

void gumbel_improved(const Gumbel *gumbel, const Frame *frame, const Tree *tree, float *policy) {
    Summary summary = summarise(frame, tree, tree->nodes);
    double values[MOVES_MAX], max = -HUGE_VAL, total = 0;
    for (int i = 0; i < gumbel->move_count; i++) {
        const Edge *edge = edge_at(tree, edge_of_move(tree, i));
        bool legal = isfinite(gumbel->logits[i]) && !(edge && edge->prior < 0);
        if (frame->settings->gumbel.sampled_only && !is_candidate(gumbel, i)) edge = NULL;
        values[i] = legal ? (double)gumbel->logits[i] + sigma_of(frame, &summary, edge) : -HUGE_VAL;
        max = fmax(max, values[i]);
    }
    for (int i = 0; i < gumbel->move_count; i++) {
        values[i] = isfinite(values[i]) ? exp(values[i] - max) : 0;
        total += values[i];
    }
    for (int i = 0; i < gumbel->move_count; i++)
        policy[i] = total > 0 ? (float)(values[i] / total) : 0;
}

int gumbel_choice(const Gumbel *gumbel, const Frame *frame, const Tree *tree) {
    Summary summary = summarise(frame, tree, tree->nodes);
    int64_t max = -1;
    double best_value = -HUGE_VAL;
    int best = -1;
    for (int i = 0; i < gumbel->count; i++) {
        const Candidate *candidate = &gumbel->candidates[i];
        const Edge *edge = edge_at(tree, candidate->edge);
        if (candidate->out || (edge && edge->prior < 0)) continue;
        int64_t visits = (edge ? edge->visits : 0) - candidate->start;
        double value = (double)gumbel->scores[candidate->move] + sigma_of(frame, &summary, edge);
        if (visits < max || (visits == max && value <= best_value)) continue;
        max = visits;
        best_value = value;
        best = candidate->move;
    }
    return best;
}
