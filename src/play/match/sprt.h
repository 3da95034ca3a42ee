/* sprt.h - the sequential test of two players: after each result the likelihood ratio of "elo1
 * stronger" to "elo0 stronger", until one of two bounds is crossed (Wald 1945, "Sequential tests of
 * statistical hypotheses"). The distribution of results is not known but for its mean, so that the
 * ratio is a generalised one: that of the most likely distributions with either mean (Van den
 * Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation Value of a Distribution",
 * 2019, as in Fishtest). Two games of one opening from both sides are one result of five
 * (pentanomial), as they are not independent. Threading: free functions. */
#pragma once
#include "base/settings.h"
#include <stdint.h>

typedef struct {
    double elo0, elo1;  /* the two hypotheses, logistic Elo of the first player */
    double alpha, beta; /* how often elo1 may be accepted where elo0 holds, and the reverse */
} SprtSettings;
extern const SettingsField SPRT_FIELDS[];
MUST_USE Status sprt_check(const SprtSettings *settings,
                           Error *err); /* ERR_ARGUMENT: elo1 <= elo0 */

typedef enum { SPRT_GOES_ON, SPRT_ACCEPTS_0, SPRT_ACCEPTS_1 } SprtState;
typedef struct {
    double ratio;        /* ln of the likelihood ratio */
    double lower, upper; /* the bounds, ln(beta / (1 - alpha)) and ln((1 - beta) / alpha) */
    SprtState state;
} SprtAnswer;

enum { SPRT_OUTCOMES = 5 };
/* counts[k]: pairs of games in which the first player had k / 2 points. */
SprtAnswer sprt_pairs(const SprtSettings *settings, const int64_t counts[SPRT_OUTCOMES]);
/* ln of the ratio of `count` kinds of result worth values[k] in 0..1, of which there were
 * weights[k] > 0: sum of weights[k] ln(p1[k] / p0[k]), p0 and p1 the most likely with means mean0
 * and mean1. */
double sprt_ratio(const double *values, const double *weights, int count, double mean0,
                  double mean1);
