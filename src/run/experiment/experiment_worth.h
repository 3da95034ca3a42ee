/* experiment_worth.h - what the arms of an experiment are worth against the first, when each was
 * run with several seeds. The rating of seed k of arm a is taken as r = mu_a + u + e,   u of
 * variance tau^2 (trainings differ), e of the covariance of the fit. tau^2 is what the spread
 * within arms has beyond what the games explain (analysis of variance, pooled over arms; Searle,
 * Casella and McCulloch 1992, "Variance Components", chapter 3), at least 0. The interval of mu_a -
 * mu_0 holds both, with Student's t of the degrees of freedom within arms. Threading: free
 * functions. */
#pragma once
#include "play/match/elo.h"

typedef struct {
    int seeds;                /* that have a rating */
    double mean;              /* Elo */
    double effect, deviation; /* mean over the first arm's, and its standard error with the seeds */
    double games_deviation;   /* by the games alone */
    double low, high;         /* 95% */
    double superiority;       /* P(effect > 0) */
} ArmWorth;
typedef struct {
    double seed_deviation; /* tau, Elo; -1: one seed an arm, so that it is not known and not in the
                              intervals */
    int freedom;
} SeedSpread;

typedef struct {
    const EloFit *fit;
    const int *players; /* [count]: the player of the fit that is each run */
    const int *arm_of;  /* [count]: its arm, 0..arms-1 */
    int count, arms;
} RatedRuns;
/* out[arms]; an arm without runs has seeds 0. ERR_ARGUMENT: the first has none. */
MUST_USE Status experiment_worth(const RatedRuns *runs, ArmWorth *out, SeedSpread *spread,
                                 Error *err);

typedef struct {
    double games_deviation, deviation; /* standard errors by the games alone, and with the seeds */
    double radius;                     /* half of the 95% interval with the seeds */
} ContrastError;
/* How far sum weights[i] elo[i] may be off, weights [players] of nets of runs that sum to 0: its
 * variance is w'Sw + tau^2 w'w. Nets of one run count as if their seeds were independent, which is
 * too much rather than too little. */
ContrastError experiment_contrast(const EloFit *fit, const SeedSpread *spread,
                                  const double *weights);
