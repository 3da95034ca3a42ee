/* experiment_effects.h - the effect of each arm of an experiment: how much stronger the arm is than
 * the first arm. The model of the rating r of one run of arm a is
 *     r = mu_a + u + e
 * where
 *   mu_a  is the strength of the arm; mu_0 is that of the first arm
 *   u     is the effect of the seed, with variance tau^2
 *   e     is the error of the games, with the covariance of the fit
 * tau^2 is estimated as the variance within arms, pooled over arms, minus the part of it that the
 * games explain. The estimate is at least 0 (analysis of variance; Searle, Casella and McCulloch
 * 1992, "Variance Components", chapter 3). The interval of mu_a - mu_0 accounts for both u and e.
 * It uses Student's t with the degrees of freedom within arms. Threading: free functions. */
#pragma once
#include "play/match/elo.h"

typedef struct {
    int seeds;   /* number of runs of the arm that have a rating */
    double mean; /* mean of their ratings, Elo */
    /* `effect` is `mean` minus the mean of the first arm. `deviation` is its standard error, which
     * includes the spread between seeds. */
    double effect, deviation;
    double games_deviation; /* standard error of `effect` if only the games had errors */
    double low, high;       /* 95% interval of `effect` */
    double superiority;     /* P(effect > 0) */
} ArmEffect;
typedef struct {
    /* tau, in Elo. It is -1 (unknown) if no arm has two rated runs. Then intervals account only for
     * the errors of the games. */
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
    double games_deviation, deviation; /* standard errors: of the games only, and with the seeds */
    double radius;                     /* half of the 95% interval with the seeds */
} ContrastError;
/* Returns the error of a contrast, which is the sum over the players i of the fit of
 *     weights[i] * elo[i]
 * where the weights sum to 0. The variance of the contrast is
 *     w'Sw + tau^2 w'w
 * where w are the weights, and S is the covariance of the fit. Nets of one run count as if they had
 * independent seeds. This makes the error too large rather than too small. */
ContrastError experiment_contrast(const EloFit *fit, const SeedSpread *spread,
                                  const double *weights);
