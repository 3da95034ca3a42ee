/* The limits of batch renorm by the number of samples. */
#include "train/renorm.h"
#include "train/trainer.h"

#include "test.h"

static RenormLimits limits(double rmax, double dmax, int64_t samples) {
    return renorm_limits((RenormLimits){rmax, dmax}, 1000, samples);
}

TEST(limits_have_1_over_e_of_the_way_left_after_a_period) {
    static const struct {
        int64_t samples;
        double way;
    } CASES[] = {
        {0, 0},       {1, 0.0009995002},    {693, 0.4999264}, {1000, 0.6321206}, {3000, 0.9502129},
        {1000000, 1}, {1000000000000000, 1}};
    for (size_t k = 0; k < sizeof CASES / sizeof *CASES; k++) {
        RenormLimits got = limits(3, 5, CASES[k].samples);
        EXPECT_NEAR(1 + 2 * CASES[k].way, got.r, 1e-6);
        EXPECT_NEAR(5 * CASES[k].way, got.d, 1e-6);
    }
}

TEST(final_limits_of_1_and_0_mean_batch_norm) {
    for (int64_t samples = 0; samples < 5000; samples += 1000) {
        RenormLimits got = limits(1, 0, samples);
        EXPECT_NEAR(1, got.r, 0);
        EXPECT_NEAR(0, got.d, 0);
    }
}

TEST(the_default_limits_are_those_of_ioffe) {
    TrainerSettings config;
    settings_defaults(TRAINER_FIELDS, &config);
    RenormLimits last = {config.renorm.rmax, config.renorm.dmax},
                 got = renorm_limits(last, config.renorm.samples, config.renorm.samples * 100);
    EXPECT_NEAR(3, got.r, 1e-6); /* Ioffe 2017, section 4 */
    EXPECT_NEAR(5, got.d, 1e-6);
}

TEST_MAIN(RUN(limits_have_1_over_e_of_the_way_left_after_a_period),
          RUN(final_limits_of_1_and_0_mean_batch_norm), RUN(the_default_limits_are_those_of_ioffe))
