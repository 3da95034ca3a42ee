/* root_policy.h - changes to the priors of the root before a search: temperature, then Dirichlet
 * noise (KataGo, cpp/search; Silver et al. 2017). Threading: confined. */
#pragma once
#include "base/rng.h"
#include "search/tree/search_settings.h"

/* Replaces each prior P by P^(1/T), normalised, where T is the temperature. */
void root_policy_temper(float *priors, int count, double temperature);
/* Mixes Dirichlet noise into the priors:
 *     P <- (1 - w) P + w noise,   w: search.noise.weight
 * root_policy_alphas() gives the parameters of the Dirichlet distribution. */
void root_policy_add_noise(const SearchSettings *settings, float *priors, int count, Rng *rng);
/* Writes the parameters of the Dirichlet distribution, whose sum is search.noise.concentration.
 * Without search.noise.shaped all parameters are equal. With search.noise.shaped, half of the sum
 * is divided equally. For the other half, let l be log(min(0.01, P)) of a move, and m the mean of l
 * over all moves. This half is divided among the moves with l > m, in proportion to l - m. */
void root_policy_alphas(const SearchSettings *settings, const float *priors, int count,
                        double *alphas);
/* Returns the present value of a setting that changes from `early` to `value` in the course of a
 * game:
 *     value + (early - value) * 0.5^(turn / halflife * 19 / board_scale) */
double interpolate_early(double value, double early, double halflife, int turn, double board_scale);
