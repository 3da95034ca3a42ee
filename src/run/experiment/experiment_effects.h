/* experiment_effects.h - the effect of each arm of an experiment, that is how much stronger it is
 * than the first arm. The model of the rating of one run of arm a is
 *     r = mu_a + u + e
 * Here mu_a is the strength of the arm, and mu_0 that of the first arm. u is the effect of the
 * seed, with variance tau^2, and e is the error of the games, with the covariance of the fit. tau^2
 * is estimated as the variance within arms, pooled over arms, minus the part that the games
 * explain, and is at least 0 (analysis of variance; Searle, Casella and McCulloch 1992, "Variance
 * Components", chapter 3). The interval of mu_a - mu_0 covers both u and e, by Student's t with the
 * degrees of freedom within arms. Threading: free functions. */
#pragma once
#include "play/match/elo.h"

typedef struct {
    int seeds;   /* number of runs of the arm that have a rating */
    double mean; /* mean of their ratings, Elo */
    /* `effect` is `mean` minus the mean of the first arm. `deviation` is its standard error, which
     * includes the spread between seeds. */
    double effect, deviation;
    double games_deviation; /* standard error of `effect`, only from the games */
    double low, high;       /* 95% interval of `effect` */
    double superiority;     /* P(effect > 0) */
} ArmEffect;
typedef struct {
    /* tau, in Elo. It is -1 (unknown) if no arm has two rated runs. Intervals then come only
     * from the games. */
    double seed_deviation;
    int freedom; /* degrees of freedom within arms */
} SeedSpread;

typedef struct {
    const EloFit *fit;
    const int *players; /* [count]: for each run, its player in the fit */
    const int *arm_of;  /* [count]: for each run, its arm, 0 to arms - 1 */
    int count, arms;
} RatedRuns;
/* Writes the effects to out[arms]. The first arm gets only `seeds` and `mean`. For an arm without
 * rated runs, all fields are 0. ERR_ARGUMENT: the first arm has no rated run. */
MUST_USE Status experiment_effects(const RatedRuns *runs, ArmEffect *out, SeedSpread *spread,
                                   Error *err);

typedef struct {
    double games_deviation, deviation; /* standard errors: from the games, and with the seeds */
    double radius;                     /* half of the 95% interval with the seeds */
} ContrastError;
/* Returns the error of the contrast, that is the sum over the players of the fit of
 *     weights[i] * elo[i]
 * where the weights sum to 0. If S is the covariance of the fit, the variance of the contrast is
 *     w'Sw + tau^2 w'w
 * Nets of one run count as if they had independent seeds, which makes the error too large rather
 * than too small. */
ContrastError experiment_contrast(const EloFit *fit, const SeedSpread *spread,
                                  const double *weights);
