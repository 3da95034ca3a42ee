/* root_policy.h - what the root's priors become before a search: temperature, then Dirichlet noise
 * (KataGo, cpp/search; Silver et al. 2017). Threading: confined. */
#pragma once
#include "base/rng.h"
#include "search/tree/search_settings.h"

/* P^(1/T), normalised. */
void root_policy_temper(float *priors, int count, double temperature);
/* P <- (1 - w) P + w noise; plain: Dirichlet with equal parameters that sum to the concentration;
 * shaped: half of the sum goes to moves whose log prior is above the mean. */
void root_policy_add_noise(const SearchSettings *settings, float *priors, int count, Rng *rng);
/* The Dirichlet's parameters: `alphas` sum to the concentration. */
void root_policy_alphas(const SearchSettings *settings, const float *priors, int count,
                        double *alphas);
/* value + (early - value) * 0.5^(turn / halflife * 19 / board_scale) */
double interpolate_early(double value, double early, double halflife, int turn, double board_scale);
