#include "play/match/sprt.h"

#include <math.h>

#include "play/match/elo.h"

#define SOURCE "Wald 1945; Van den Bergh 2019"
static const double UNSEEN_WEIGHT = 1e-3; /* weight of outcomes that never occurred (Fishtest) */

const SettingsField SPRT_FIELDS[] = {
    FIELD_DOUBLE(SprtSettings, elo0, 0, -2000, 2000,
                 "lower hypothesis of the test: Elo of the first player relative to the second",
                 .source = SOURCE),
    FIELD_DOUBLE(SprtSettings, elo1, 20, -2000, 2000,
                 "higher hypothesis of the test: Elo of the first player relative to the second",
                 .source = SOURCE),
    FIELD_DOUBLE(SprtSettings, alpha, 0.05, 0.0001, 0.4999,
                 "probability of accepting elo1 although elo0 is true", .source = SOURCE),
    FIELD_DOUBLE(SprtSettings, beta, 0.05, 0.0001, 0.4999,
                 "probability of accepting elo0 although elo1 is true", .source = SOURCE),
    {0},
};

Status sprt_check(const SprtSettings *settings, Error *err) {
    if (settings->elo1 > settings->elo0) return OK;
    return fail(err, ERR_ARGUMENT, "elo1 is %g and elo0 %g: elo1 must be the larger",
                settings->elo1, settings->elo0);
}

/* Finds theta, the Lagrange multiplier of the most likely distribution with this mean, by bisection
 * between the poles. It is the root of a falling function of theta:
 *     sum weights[k] (values[k] - mean) / (1 + theta (values[k] - mean)) */
static double find_multiplier(const double *values, const double *weights, int count, double mean) {
    double low = values[0], high = values[0];
    for (int k = 1; k < count; k++) {
        low = fmin(low, values[k]);
        high = fmax(high, values[k]);
    }
    if (!(low < mean && mean < high)) return 0;
    double from = -1 / (high - mean), to = 1 / (mean - low);
    for (int iteration = 0; iteration < 200; iteration++) {
        double theta = (from + to) / 2, sum = 0;
        for (int k = 0; k < count; k++)
            sum += weights[k] * (values[k] - mean) / (1 + theta * (values[k] - mean));
        if (sum > 0)
            from = theta;
        else
            to = theta;
    }
    return (from + to) / 2;
}

double sprt_ratio(const double *values, const double *weights, int count, double mean0,
                  double mean1) {
    double theta0 = find_multiplier(values, weights, count, mean0),
           theta1 = find_multiplier(values, weights, count, mean1), ratio = 0;
    for (int k = 0; k < count; k++)
        ratio += weights[k] *
                 log((1 + theta0 * (values[k] - mean0)) / (1 + theta1 * (values[k] - mean1)));
    return ratio;
}

SprtAnswer sprt_pairs(const SprtSettings *settings, const int64_t counts[SPRT_OUTCOMES]) {
    double values[SPRT_OUTCOMES], weights[SPRT_OUTCOMES];
    double alpha = settings->alpha, beta = settings->beta;
    int64_t total = 0;
    for (int k = 0; k < SPRT_OUTCOMES; k++) {
        values[k] = (double)k / (SPRT_OUTCOMES - 1);
        weights[k] = counts[k] > 0 ? (double)counts[k] : UNSEEN_WEIGHT;
        total += counts[k];
    }
    SprtAnswer out = {.lower = log(beta / (1 - alpha)), .upper = log((1 - beta) / alpha)};
    if (total > 0)
        out.ratio = sprt_ratio(values, weights, SPRT_OUTCOMES, elo_expected(settings->elo0),
                               elo_expected(settings->elo1));
    if (out.ratio >= out.upper) out.state = SPRT_ACCEPTS_1;
    if (out.ratio <= out.lower) out.state = SPRT_ACCEPTS_0;
    return out;
}
