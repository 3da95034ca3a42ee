/* experiment_effects.h - the effect of each arm of an experiment: how much stronger it is than the
 * first, if each was run with several seeds. The model of the rating of seed k of arm a:
 *     r = mu_a + u + e
 * u: the effect of the seed, with variance tau^2. e: the error of the games, with the covariance of
 * the fit. tau^2 is the variance within arms, pooled over arms, less what the games explain, and at
 * least 0 (analysis of variance; Searle, Casella and McCulloch 1992, "Variance Components", chapter
 * 3). The interval of mu_a - mu_0 contains both errors, with Student's t for the degrees of freedom
 * within arms. Threading: free functions. */
#pragma once
#include "play/match/elo.h"

typedef struct {
    int seeds;   /* number of seeds that have a rating */
    double mean; /* of their ratings, Elo */
    double effect,
        deviation; /* mean less that of the first arm; its standard error, with the seeds */
    double games_deviation; /* standard error by the games alone */
    double low, high;       /* 95% interval of `effect` */
    double superiority;     /* P(effect > 0) */
} ArmEffect;
typedef struct {
    double
        seed_deviation; /* tau, Elo; -1: unknown, since no arm has two seeds; the intervals are by
                              the games alone */
    int freedom;        /* degrees of freedom within arms */
} SeedSpread;

typedef struct {
    const EloFit *fit;
    const int *players; /* [count]: the player of the fit that is each run */
    const int *arm_of;  /* [count]: its arm, 0..arms-1 */
    int count, arms;
} RatedRuns;
/* Writes the effects to out[arms]. An arm without rated runs has seeds 0. ERR_ARGUMENT: the first
 * arm has none. */
MUST_USE Status experiment_effects(const RatedRuns *runs, ArmEffect *out, SeedSpread *spread,
                                   Error *err);

typedef struct {
    double games_deviation, deviation; /* standard errors by the games alone, and with the seeds */
    double radius;                     /* half of the 95% interval with the seeds */
} ContrastError;
/* The error of sum weights[i] * elo[i] over the players of the fit, where the weights sum to 0.
 * With S the covariance of the fit, its variance is
 *     w'Sw + tau^2 w'w
 * Nets of one run count as if they had independent seeds, which makes the error too large rather
 * than too small. */
ContrastError experiment_contrast(const EloFit *fit, const SeedSpread *spread,
                                  const double *weights);
