#include "run/experiment/experiment_effects.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/statistic.h"

static double covariance(const RatedRuns *runs, int i, int k) {
    return runs->fit->covariance[runs->players[i] * runs->fit->players + runs->players[k]];
}

/* Adds the squared deviations of the ratings within an arm to `*found`. Adds to `*explained` what
 * their sum would be on average if the errors of the games were their only cause. With the
 * covariance C of the ratings within the arm and n runs, this is
 *     trace of C - (sum of the elements of C) / n */
static void add_squares(const RatedRuns *runs, int arm, const ArmEffect *arm_effect, double *found,
                        double *explained) {
    for (int i = 0; i < runs->count; i++) {
        if (runs->arm_of[i] != arm) continue;
        double deviation = runs->fit->elo[runs->players[i]] - arm_effect->mean;
        *found += deviation * deviation;
        *explained += covariance(runs, i, i);
        for (int k = 0; k < runs->count; k++) {
            if (runs->arm_of[k] == arm) *explained -= covariance(runs, i, k) / arm_effect->seeds;
        }
    }
}

static SeedSpread find_spread(const RatedRuns *runs, const ArmEffect *effects) {
    SeedSpread spread = {-1, 0};
    double found = 0, explained = 0;
    for (int a = 0; a < runs->arms; a++) {
        if (effects[a].seeds < 2) continue;
        spread.freedom += effects[a].seeds - 1;
        add_squares(runs, a, &effects[a], &found, &explained);
    }
    if (spread.freedom) spread.seed_deviation = sqrt(fmax(0, found - explained) / spread.freedom);
    return spread;
}

static void compare_with_first(const RatedRuns *runs, int arm, const SeedSpread *spread,
                               double *weights, ArmEffect *effects) {
    ArmEffect *own = &effects[arm];
    for (int i = 0; i < runs->fit->players; i++)
        weights[i] = 0;
    for (int i = 0; i < runs->count; i++) {
        if (runs->arm_of[i] == arm) weights[runs->players[i]] += 1.0 / own->seeds;
        if (runs->arm_of[i] == 0) weights[runs->players[i]] -= 1.0 / effects[0].seeds;
    }
    ContrastError error = experiment_contrast(runs->fit, spread, weights);
    own->effect = own->mean - effects[0].mean;
    own->games_deviation = error.games_deviation;
    own->deviation = error.deviation;
    own->low = own->effect - error.radius;
    own->high = own->effect + error.radius;
    own->superiority = spread->freedom && own->deviation > 0
                           ? student_probability(own->effect / own->deviation, spread->freedom)
                           : elo_superiority(own->effect, own->deviation);
}

ContrastError experiment_contrast(const EloFit *fit, const SeedSpread *spread,
                                  const double *weights) {
    double tau = fmax(0, spread->seed_deviation), squares = 0;
    double width = spread->freedom ? student_quantile(0.025, spread->freedom) : 1.959964;
    ContrastError out = {.games_deviation = elo_fit_contrast_deviation(fit, weights)};
    for (int i = 0; i < fit->players; i++)
        squares += weights[i] * weights[i];
    out.deviation = sqrt(out.games_deviation * out.games_deviation + tau * tau * squares);
    out.radius = width * out.deviation;
    return out;
}

Status experiment_effects(const RatedRuns *runs, ArmEffect *out, SeedSpread *spread, Error *err) {
    double *weights;
    for (int a = 0; a < runs->arms; a++)
        out[a] = (ArmEffect){0};
    for (int i = 0; i < runs->count; i++) {
        out[runs->arm_of[i]].seeds++;
        out[runs->arm_of[i]].mean += runs->fit->elo[runs->players[i]];
    }
    for (int a = 0; a < runs->arms; a++) {
        if (out[a].seeds) out[a].mean /= out[a].seeds;
    }
    if (!runs->arms || !out[0].seeds)
        return fail(err, ERR_ARGUMENT, "the first arm has no rated net to compare with");
    Status status = mem_new((size_t)runs->fit->players, sizeof *weights, &weights, err);
    if (status) return status;
    *spread = find_spread(runs, out);
    for (int a = 1; a < runs->arms; a++) {
        if (out[a].seeds) compare_with_first(runs, a, spread, weights, out);
    }
    free(weights);
    return OK;
}
