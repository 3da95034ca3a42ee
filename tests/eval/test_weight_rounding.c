/* Rounding of weights to int8. If inputs are independent, weights are rounded to the nearest
 * integers. If inputs are correlated, the results of the layer have smaller errors than with the
 * nearest integers. Some samples are refused. */
#include "base/rng.h"
#include "eval/precision/weight_rounding.h"
#include "test.h"

enum { CHANNELS = 24, SAMPLES = 400 };

/* Fills the samples. The channels of a sample are linear combinations of `sources` random numbers,
 * the same combinations in all samples, and a little noise. */
static void fill(Rng *rng, int sources, float *rows) {
    float mix[CHANNELS][CHANNELS], source[CHANNELS];
    for (int c = 0; c < CHANNELS; c++) {
        for (int s = 0; s < sources; s++)
            mix[c][s] = (float)rng_normal(rng);
    }
    for (int r = 0; r < SAMPLES; r++) {
        for (int s = 0; s < sources; s++)
            source[s] = (float)rng_normal(rng);
        for (int c = 0; c < CHANNELS; c++) {
            float *x = &rows[r * CHANNELS + c];
            *x = 0.05f * (float)rng_normal(rng);
            for (int s = 0; s < sources; s++)
                *x += mix[c][s] * source[s];
        }
    }
}

/* Returns the mean squared error of the layer's result if `weights`, which are in units of the
 * scale, are rounded to `integers`. */
static double error_of(const float *rows, const float *weights, const int8_t *integers) {
    double sum = 0;
    for (int r = 0; r < SAMPLES; r++) {
        double change = 0;
        for (int c = 0; c < CHANNELS; c++)
            change += (double)rows[r * CHANNELS + c] * ((double)weights[c] - integers[c]);
        sum += change * change / SAMPLES;
    }
    return sum;
}

TEST(correlated_inputs_make_up_for_errors) {
    static float rows[SAMPLES * CHANNELS];
    Rng rng = rng_seeded(1);
    fill(&rng, 4, rows);
    const ActivationSample sample = {CHANNELS, SAMPLES, SAMPLES, rows};
    WeightRounding *rounding;
    double ours = 0, nearest = 0;
    EXPECT_OK(weight_rounding_new(&sample, &rounding, err));
    for (int output = 0; output < 20; output++) {
        float weights[CHANNELS], scaled[CHANNELS];
        int8_t integers[CHANNELS], near[CHANNELS];
        for (int c = 0; c < CHANNELS; c++) {
            weights[c] = 40 * (float)rng_normal(&rng);
            weights[c] = fmaxf(-127, fminf(127, weights[c]));
            scaled[c] = weights[c] * 0.01f;
            near[c] = (int8_t)nearbyintf(weights[c]);
        }
        weight_rounding_round(rounding, scaled, 0.01f, integers);
        ours += error_of(rows, weights, integers);
        nearest += error_of(rows, weights, near);
    }
    EXPECT_TRUE(ours < nearest / 4);
    weight_rounding_free(rounding);
}

/* The samples are the unit vectors, so the inputs are not correlated. Weights that are too large
 * become 127. */
TEST(independent_inputs_are_rounded_to_nearest) {
    float rows[3 * 3] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const float weights[3] = {1.4f, -2.6f, 300.0f};
    const ActivationSample sample = {3, 3, 3, rows};
    int8_t integers[3];
    WeightRounding *rounding;
    EXPECT_OK(weight_rounding_new(&sample, &rounding, err));
    weight_rounding_round(rounding, weights, 1, integers);
    EXPECT_INT(1, integers[0]);
    EXPECT_INT(-3, integers[1]);
    EXPECT_INT(127, integers[2]);
    weight_rounding_free(rounding);
}

TEST(inputs_that_are_always_0_do_no_harm) {
    float rows[2 * 2] = {0, 0, 0, 0};
    const float weights[2] = {5.2f, -7.0f};
    const ActivationSample sample = {2, 2, 2, rows};
    int8_t integers[2];
    WeightRounding *rounding;
    EXPECT_OK(weight_rounding_new(&sample, &rounding, err));
    weight_rounding_round(rounding, weights, 1, integers);
    EXPECT_INT(5, integers[0]);
    EXPECT_INT(-7, integers[1]);
    weight_rounding_free(rounding);
}

TEST(wrong_samples_are_refused) {
    float rows[2] = {1, NAN};
    ActivationSample sample = {2, 1, 1, rows};
    WeightRounding *rounding;
    Error error = {0};
    EXPECT_STATUS(ERR_ARGUMENT, weight_rounding_new(&sample, &rounding, &error));
    EXPECT_CONTAINS(error.message, "too large");
    assert_null(rounding);
    sample.count = 0;
    EXPECT_STATUS(ERR_ARGUMENT, weight_rounding_new(&sample, &rounding, &error));
    EXPECT_CONTAINS(error.message, "samples");
    sample = (ActivationSample){WEIGHT_ROUNDING_CHANNELS_MAX + 1, 1, 1, rows};
    EXPECT_STATUS(ERR_ARGUMENT, weight_rounding_new(&sample, &rounding, NULL));
    weight_rounding_free(NULL);
}

TEST_MAIN(RUN(correlated_inputs_make_up_for_errors), RUN(independent_inputs_are_rounded_to_nearest),
          RUN(inputs_that_are_always_0_do_no_harm), RUN(wrong_samples_are_refused))
