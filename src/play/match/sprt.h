/* sprt.h - the sequential probability ratio test of two players (Wald 1945, "Sequential tests of
 * statistical hypotheses"). After each result it compares two hypotheses by their likelihood ratio:
 * that the first player is elo1 Elo stronger, and that it is elo0 Elo stronger. It ends when the
 * ratio crosses one of two bounds. A hypothesis says only what the mean of the results is.
 * Therefore the ratio is a generalised one: it compares the most likely distributions with these
 * means (Van den Bergh, "The Generalized Maximum Likelihood Ratio for the Expectation Value of a
 * Distribution", 2019, as in Fishtest). The two games of an opening, which is played from both
 * sides, are not independent and count as one result with five outcomes (pentanomial).
 * Threading: free functions. */
#pragma once
#include "base/settings.h"
#include <stdint.h>

typedef struct {
    double elo0, elo1; /* the two hypotheses, logistic Elo of the first player */
    double alpha;      /* probability of accepting elo1 if elo0 is true */
    double beta;       /* probability of accepting elo0 if elo1 is true */
} SprtSettings;
extern const SettingsField SPRT_FIELDS[];
/* ERR_ARGUMENT: elo1 <= elo0. */
MUST_USE Status sprt_check(const SprtSettings *settings, Error *err);

typedef enum { SPRT_GOES_ON, SPRT_ACCEPTS_0, SPRT_ACCEPTS_1 } SprtState;
typedef struct {
    double ratio;        /* ln of the ratio of the likelihood of elo1 to that of elo0 */
    double lower, upper; /* the bounds, ln(beta / (1 - alpha)) and ln((1 - beta) / alpha) */
    SprtState state;
} SprtAnswer;

enum { SPRT_OUTCOMES = 5 };
/* Returns the state of the test after counts[k] pairs of games in which the first player won k / 2
 * points. */
SprtAnswer sprt_pairs(const SprtSettings *settings, const int64_t counts[SPRT_OUTCOMES]);
/* Returns ln of the generalised likelihood ratio of mean1 to mean0:
 *     sum weights[k] ln(p1[k] / p0[k])
 * There are `count` outcomes with values[k] in 0..1; outcome k occurred weights[k] > 0 times. p0
 * and p1 are the most likely distributions with the means mean0 and mean1. */
double sprt_ratio(const double *values, const double *weights, int count, double mean0,
                  double mean1);
