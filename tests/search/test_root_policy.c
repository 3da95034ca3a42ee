/* The policy of the root: its temperature, and its Dirichlet noise. */
#include "search/select/root_policy.h"
#include "search/tree/search_presets.h"
#include "test.h"

TEST(temperature_by_hand) {
    float priors[3] = {0.5f, 0.25f, 0.25f};
    root_policy_temper(priors, 3, 2); /* square roots, divided by their sum 1.70711 */
    EXPECT_NEAR(0.414214, priors[0], 1e-5);
    EXPECT_NEAR(0.292893, priors[1], 1e-5);
    float sharp[3] = {0.5f, 0.25f, 0.25f};
    root_policy_temper(sharp, 3, 0.5); /* squares, divided by their sum 3/8 */
    EXPECT_NEAR(2.0 / 3, sharp[0], 1e-5);
    float same[3] = {0.5f, 0.5f, 0};
    root_policy_temper(same, 3, 1);
    EXPECT_NEAR(0.5, same[1], 0);
    root_policy_temper(same, 3, 1.2);
    EXPECT_NEAR(0, same[2], 0);
}

TEST(early_values_halve_with_turns) {
    EXPECT_NEAR(0.75, interpolate_early(0.15, 0.75, 19, 0, 19), 1e-9);
    EXPECT_NEAR(0.45, interpolate_early(0.15, 0.75, 19, 19, 19), 1e-9);
    EXPECT_NEAR(0.45, interpolate_early(0.15, 0.75, 19, 7, 7),
                1e-9); /* the halflife of 19 turns on 19x19 is 7 turns on 7x7 */
    EXPECT_NEAR(0.30, interpolate_early(0.15, 0.75, 19, 18, 9), 1e-9);
}

TEST(parameters_of_plain_noise_are_equal) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    settings.noise.shaped = false;
    float priors[4] = {0.9f, 0.05f, 0.03f, 0.02f};
    double alphas[4];
    root_policy_alphas(&settings, priors, 4, alphas);
    for (int i = 0; i < 4; i++)
        EXPECT_NEAR(10.83 / 4, alphas[i], 1e-5);
}

/* The logarithms of min(0.01, p) are -4.60517, -5.29832, -7.60090 and -4.60517. Their mean is
 * -5.52739. They exceed it by 0.92222, 0.22907, 0 (the third is below it) and 0.92222, which has
 * the sum 2.07351. Half of the concentration 10.83 is divided in proportion to these numbers, and
 * the other half equally. */
TEST(parameters_of_shaped_noise_by_hand) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    float priors[4] = {0.5f, 0.005f, 0.0005f, 0.4945f};
    double alphas[4];
    root_policy_alphas(&settings, priors, 4, alphas);
    EXPECT_NEAR(10.83 * 0.347381, alphas[0], 1e-4);
    EXPECT_NEAR(10.83 * 0.180238, alphas[1], 1e-4);
    EXPECT_NEAR(10.83 * 0.125, alphas[2], 1e-4);
    EXPECT_NEAR(10.83 * 0.347381, alphas[3], 1e-4);
    float equal[4] = {0.25f, 0.25f, 0.25f, 0.25f};
    root_policy_alphas(&settings, equal, 4, alphas);
    EXPECT_NEAR(10.83 / 4, alphas[2], 1e-5);
}

typedef struct {
    double mean, variance;
} Moments;

static Moments drawn(const SearchSettings *settings, const float *priors, int count, int which) {
    enum { DRAWS = 20000 };
    Rng rng = rng_seeded(7);
    double sum = 0, square = 0;
    for (int i = 0; i < DRAWS; i++) {
        float values[8];
        double total = 0;
        memcpy(values, priors, (size_t)count * sizeof *values);
        root_policy_add_noise(settings, values, count, &rng);
        for (int k = 0; k < count; k++)
            total += (double)values[k];
        EXPECT_NEAR(1, total, 1e-5);
        sum += (double)values[which];
        square += (double)values[which] * (double)values[which];
    }
    return (Moments){sum / DRAWS, square / DRAWS - sum / DRAWS * (sum / DRAWS)};
}

/* Component i of a Dirichlet distribution with the parameters a and their sum A has the mean
 * m = a_i / A and the variance m (1 - m) / (A + 1). */
TEST(moments_of_plain_noise) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    settings.noise.shaped = false;
    settings.noise.weight = 1;
    settings.noise.concentration = 8;
    float priors[4] = {0.7f, 0.1f, 0.1f, 0.1f};
    Moments all = drawn(&settings, priors, 4, 0);
    EXPECT_NEAR(0.25, all.mean, 0.005);
    EXPECT_NEAR(0.25 * 0.75 / 9, all.variance, 0.001);
    settings.noise.weight = 0.25;
    Moments quarter = drawn(&settings, priors, 4, 0);
    EXPECT_NEAR(0.75 * 0.7 + 0.25 * 0.25, quarter.mean, 0.002);
    EXPECT_NEAR(0.25 * 0.75 / 9 / 16, quarter.variance, 1e-4);
}

TEST(moments_of_shaped_noise) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    settings.noise.weight = 1;
    float priors[4] = {0.5f, 0.005f, 0.0005f, 0.4945f};
    Moments first = drawn(&settings, priors, 4, 0), third = drawn(&settings, priors, 4, 2);
    EXPECT_NEAR(0.347381, first.mean, 0.005);
    EXPECT_NEAR(0.347381 * 0.652619 / 11.83, first.variance, 0.001);
    EXPECT_NEAR(0.125, third.mean, 0.004);
    EXPECT_NEAR(0.125 * 0.875 / 11.83, third.variance, 0.001);
}

TEST_MAIN(RUN(temperature_by_hand), RUN(early_values_halve_with_turns),
          RUN(parameters_of_plain_noise_are_equal), RUN(parameters_of_shaped_noise_by_hand),
          RUN(moments_of_plain_noise), RUN(moments_of_shaped_noise))
