#include "search/select/root_policy.h"

#include <math.h>

#include "go/point.h"

double interpolate_early(double value, double early, double halflife, int turn,
                         double board_scale) {
    return value + (early - value) * pow(0.5, turn / halflife * 19 / board_scale);
}

void root_policy_temper(float *priors, int count, double temperature) {
    double sum = 0;
    if (fabs(temperature - 1) < 1e-9) return;
    for (int i = 0; i < count; i++) {
        priors[i] = priors[i] > 0 ? (float)pow((double)priors[i], 1 / temperature) : 0;
        sum += (double)priors[i];
    }
    for (int i = 0; sum > 0 && i < count; i++)
        priors[i] = (float)((double)priors[i] / sum);
}

void root_policy_alphas(const SearchSettings *settings, const float *priors, int count,
                        double *alphas) {
    double mean = 0, total = 0, sum = settings->noise.concentration;
    for (int i = 0; i < count; i++) {
        alphas[i] = log(fmin(0.01, (double)priors[i]) + 1e-20);
        mean += alphas[i] / count;
    }
    for (int i = 0; i < count; i++) {
        alphas[i] = settings->noise.shaped ? fmax(0, alphas[i] - mean) : 0;
        total += alphas[i];
    }
    for (int i = 0; i < count; i++)
        alphas[i] = sum * (total > 0 ? 0.5 * (alphas[i] / total + 1.0 / count) : 1.0 / count);
}

void root_policy_add_noise(const SearchSettings *settings, float *priors, int count, Rng *rng) {
    double alphas[MOVES_MAX], total = 0, weight = settings->noise.weight;
    root_policy_alphas(settings, priors, count, alphas);
    for (int i = 0; i < count; i++) {
        alphas[i] = rng_gamma(rng, alphas[i]);
        total += alphas[i];
    }
    for (int i = 0; total > 0 && i < count; i++)
        priors[i] = (float)((1 - weight) * (double)priors[i] + weight * alphas[i] / total);
}
