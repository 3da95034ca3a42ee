#include "search/result/choose.h"

#include <math.h>
#include <stdlib.h>

#include "search/result/level.h"
#include "search/select/root_policy.h"

double choose_temperature(const SearchSettings *settings, int turn, int area) {
    return interpolate_early(settings->temperature, settings->temperature_early,
                             settings->temperature_halflife, turn, sqrt((double)area));
}

/* Draws one of `count` weights in proportion to weight^(1/T), where T is the temperature. If T <=
 * 1e-4, takes the largest weight. The limit is the fraction `below` of the sum of the weights.
 * Weights above the limit stay as they are; a smaller weight w becomes limit * (w / limit)^(1/T).
 * Returns -1 if all weights are 0. */
static int draw_weight(double *weights, int count, double temperature, double below, Rng *rng) {
    double max = 0, sum = 0;
    int best = -1;
    for (int i = 0; i < count; i++) {
        sum += fmax(0, weights[i]);
        if (weights[i] <= max) continue;
        max = weights[i];
        best = i;
    }
    if (best < 0 || temperature <= 1e-4) return best;
    double level = fmin(max, below * sum);
    for (int i = 0; i < count; i++) {
        double fraction = weights[i] > 0 ? weights[i] / level : 0;
        weights[i] = fraction > 0 && fraction < 1 ? pow(fraction, 1 / temperature) : fraction;
    }
    return rng_pick(rng, weights, count);
}

static Point draw_fraction(const Report *report, double temperature, double below, Rng *rng) {
    double weights[MOVES_MAX];
    int moves = report->width * report->height + 1;
    for (int i = 0; i < moves; i++)
        weights[i] = (double)report->choice_probabilities[i];
    int best = draw_weight(weights, moves, temperature, below, rng);
    return best < 0 ? POINT_PASS : move_at_index(best, report->width, report->height);
}

Point choose_move(const Report *report, double temperature, bool plain, Rng *rng) {
    double weights[MOVES_MAX];
    double below = report->temperature_below > 0 ? (double)report->temperature_below : 1;
    bool sampled = report->choice_by_temperature && temperature > 1e-4;
    if (report->by_probabilities) return draw_fraction(report, temperature, below, rng);
    if (report->gumbel && !sampled) return report->choice;
    for (int i = 0; i < report->move_count; i++)
        weights[i] = (double)(plain ? report->moves[i].plain_weight : report->moves[i].weight);
    int best = draw_weight(weights, report->move_count, temperature, below, rng);
    if (best >= 0) return report->moves[best].point;
    return report->move_count ? report->moves[0].point : POINT_PASS;
}

typedef struct {
    double probability;
    int index;
} PolicyMove;

/* Orders moves by falling probability; moves with equal probabilities, by their place on the
 * board. */
static int compare_moves(const void *a, const void *b) {
    const PolicyMove *x = a, *y = b;
    if (x->probability != y->probability) return x->probability > y->probability ? -1 : 1;
    return x->index - y->index;
}

Point choose_by_beta(const Report *report, int turn, int first_turn, Rng *rng) {
    PolicyMove moves[MOVES_MAX];
    double sum = 0, beta = 1 + sqrt(fmax(0, turn - first_turn));
    double r = 1 - pow(1 - rng_uniform(rng), 1 / beta);
    int count = 0;
    for (int i = 0; i < report->width * report->height + 1; i++) {
        double probability = (double)report->open_policy[i];
        if (probability <= 0) continue;
        moves[count++] = (PolicyMove){probability, i};
        sum += probability;
    }
    if (!count) return POINT_PASS;
    qsort(moves, (size_t)count, sizeof *moves, compare_moves);
    int chosen = 0;
    double passed = moves[0].probability;
    while (chosen + 1 < count && passed <= r * sum)
        passed += moves[++chosen].probability;
    return move_at_index(moves[chosen].index, report->width, report->height);
}

Point choose_for_game(const SearchSettings *settings, const Report *report, int turn, Rng *rng) {
    if (level_is_set(settings))
        return report->by_probabilities && !report->move_count
                   ? choose_move(report, 1, false, rng)
                   : level_choose(settings, report, rng);
    if (settings->choice_law == CHOICE_POLICY_BETA)
        return choose_by_beta(report, turn, settings->choice_beta_turn, rng);
    double temperature = choose_temperature(settings, turn, report->width * report->height);
    return choose_move(report, temperature, false, rng);
}
