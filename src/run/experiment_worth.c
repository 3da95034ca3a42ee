#include "run/experiment_worth.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/statistic.h"

typedef struct {
    const EloFit *fit;
    const int *players, *arm_of;
    int runs;
} Runs;

static double covariance(const Runs *runs, int i, int k) {
    return runs->fit->covariance[runs->players[i] * runs->fit->players + runs->players[k]];
}

/* Squares within an arm: found, and expected of the games alone, which is the trace of the
 * covariance less its mean. */
static void add_squares(const Runs *runs, int arm, const ArmWorth *worth, double *found,
                        double *explained) {
    for (int i = 0; i < runs->runs; i++) {
        if (runs->arm_of[i] != arm) continue;
        double away = runs->fit->elo[runs->players[i]] - worth->mean;
        *found += away * away;
        *explained += covariance(runs, i, i);
        for (int k = 0; k < runs->runs; k++) {
            if (runs->arm_of[k] == arm) *explained -= covariance(runs, i, k) / worth->seeds;
        }
    }
}

static SeedSpread find_spread(const Runs *runs, const ArmWorth *worth, int arms) {
    SeedSpread spread = {-1, 0};
    double found = 0, explained = 0;
    for (int a = 0; a < arms; a++) {
        if (worth[a].seeds < 2) continue;
        spread.freedom += worth[a].seeds - 1;
        add_squares(runs, a, &worth[a], &found, &explained);
    }
    if (spread.freedom) spread.seed_deviation = sqrt(fmax(0, found - explained) / spread.freedom);
    return spread;
}

static void compare(const Runs *runs, int arm, const SeedSpread *spread, double *weights,
                    ArmWorth *worth) {
    ArmWorth *own = &worth[arm];
    for (int i = 0; i < runs->fit->players; i++)
        weights[i] = 0;
    for (int i = 0; i < runs->runs; i++) {
        if (runs->arm_of[i] == arm) weights[runs->players[i]] += 1.0 / own->seeds;
        if (runs->arm_of[i] == 0) weights[runs->players[i]] -= 1.0 / worth[0].seeds;
    }
    double tau = fmax(0, spread->seed_deviation);
    own->effect = own->mean - worth[0].mean;
    own->games_deviation = elo_fit_contrast_deviation(runs->fit, weights);
    own->deviation = sqrt(own->games_deviation * own->games_deviation +
                          tau * tau * (1.0 / own->seeds + 1.0 / worth[0].seeds));
    double width = spread->freedom ? student_quantile(0.025, spread->freedom) : 1.959964;
    own->low = own->effect - width * own->deviation;
    own->high = own->effect + width * own->deviation;
    own->superiority = spread->freedom && own->deviation > 0
                           ? student_probability(own->effect / own->deviation, spread->freedom)
                           : elo_superiority(own->effect, own->deviation);
}

Status experiment_worth(const EloFit *fit, const int *players, const int *arm_of, int run_count,
                        int arms, ArmWorth *out, SeedSpread *spread, Error *err) {
    const Runs runs = {fit, players, arm_of, run_count};
    double *weights;
    for (int a = 0; a < arms; a++)
        out[a] = (ArmWorth){0};
    for (int i = 0; i < run_count; i++) {
        out[arm_of[i]].seeds++;
        out[arm_of[i]].mean += fit->elo[players[i]];
    }
    for (int a = 0; a < arms; a++) {
        if (out[a].seeds) out[a].mean /= out[a].seeds;
    }
    if (!arms || !out[0].seeds)
        return fail(err, ERR_ARGUMENT, "the first arm has no rated net to compare with");
    Status status = mem_new((size_t)fit->players, sizeof *weights, &weights, err);
    if (status) return status;
    *spread = find_spread(&runs, out, arms);
    for (int a = 1; a < arms; a++) {
        if (out[a].seeds) compare(&runs, a, spread, weights, out);
    }
    free(weights);
    return OK;
}
