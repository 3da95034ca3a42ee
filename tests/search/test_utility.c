/* Utility: the score utility against numerical integration, its sum with win - loss, and Student's
 * distribution with 3 degrees of freedom. */
#include "search/select/utility.h"
#include "search/tree/search_presets.h"
#include "test.h"

/* Integrates the score utility over a normal distribution by the midpoint rule, from -8 to 8
 * standard deviations. The steps are much finer than those of the table of utility.c. */
static double integrated(double mean, double deviation, double center, double scale, double edge) {
    double sum = 0, total = 0;
    for (int i = -4000; i < 4000; i++) {
        double z = (i + 0.5) / 500, weight = exp(-0.5 * z * z);
        sum += weight * atan((mean + deviation * z - center) / (scale * edge));
        total += weight;
    }
    return 2 / 3.14159265358979323846 * sum / total;
}

TEST(score_is_the_expected_arctangent) {
    const double rows[][5] = {{0, 0, 0, 2, 19},     {7.5, 0, 0, 0.5, 9},    {5, 10, 2, 0.75, 9},
                              {-5, 10, -8, 0.5, 7}, {-30, 4, 0, 2, 19},     {3, 25, 3.5, 0.75, 19},
                              {12, 3, -20, 0.5, 5}, {0.25, 0.5, 0, 0.5, 3}, {80, 40, 10, 0.75, 13}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double *r = rows[i];
        EXPECT_NEAR(integrated(r[0], r[1], r[2], r[3], r[4]),
                    utility_score(r[0], r[1], r[2], r[3], r[4]), 2e-3);
    }
}

TEST(score_of_a_sure_result_by_hand) {
    EXPECT_NEAR(0.5, utility_score(9.5 + 1, 0, 1, 0.5, 19), 1e-3); /* 2/pi atan(1) */
    EXPECT_NEAR(-0.5, utility_score(-38, 0, 0, 2, 19), 1e-3);
    EXPECT_NEAR(2.0 / 3, utility_score(sqrt(3) * 9, 0, 0, 1, 9), 1e-3); /* 2/pi atan(sqrt(3)) */
    EXPECT_NEAR(0, utility_score(4, 33, 4, 0.75, 9), 1e-6);
}

TEST(score_beyond_the_table_is_held) {
    EXPECT_NEAR(utility_score(1e6, 0, 0, 2, 19), utility_score(1e9, 0, 0, 2, 19), 1e-9);
    EXPECT_TRUE(utility_score(1e6, 0, 0, 2, 19) > 0.9);
    EXPECT_TRUE(utility_score(-1e6, 1e9, 0, 2, 19) < 0);
}

TEST(slope_is_the_derivative) {
    for (int x = -30; x <= 30; x += 6) {
        double by_differences =
            (integrated(x + 0.01, 0, 3, 0.75, 9) - integrated(x - 0.01, 0, 3, 0.75, 9)) / 0.02;
        EXPECT_NEAR(by_differences, utility_score_slope(x, 3, 0.75, 9), 1e-6);
    }
}

/* Utility is the sum of four terms, each times its factor: win - loss, no result, the static score
 * utility around 0, and the dynamic score utility around the center. */
TEST(utility_by_hand) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    settings.win_loss_factor = 0.8;
    settings.no_result_utility_for_white = -0.2;
    ValueForWhite value = {.win_loss = 0.5, .no_result = 0.1, .score_mean = 8, .score_mean_sq = 64};
    settings.static_score_factor = settings.dynamic_score_factor = 0;
    EXPECT_NEAR(0.8 * 0.5 - 0.2 * 0.1, utility_of(&settings, &value, 0, 8), 1e-6);
    settings.static_score_factor = 0.1; /* 8 / (2 * 4) = 1; 4 is the board scale */
    EXPECT_NEAR(0.38 + 0.1 * 0.5, utility_of(&settings, &value, 0, 4), 1e-3);
    settings.dynamic_score_factor = 0.3; /* (8 - 5) / (0.75 * 4) = 1 */
    EXPECT_NEAR(0.38 + 0.1 * 0.5 + 0.3 * 0.5, utility_of(&settings, &value, 5, 4), 1e-3);
    value.score_mean_sq = 64 + 400; /* a standard deviation of 20 reduces both */
    double wide = 0.1 * integrated(8, 20, 0, 2, 4) + 0.3 * integrated(8, 20, 5, 0.75, 4);
    EXPECT_NEAR(0.38 + wide, utility_of(&settings, &value, 5, 4), 1e-3);
}

/* Student's distribution with 3 degrees of freedom, against values from printed tables. */
TEST(t3_agrees_with_printed_tables) {
    EXPECT_NEAR(0.5, utility_t3(0), 1e-9);
    EXPECT_NEAR(0.80450, utility_t3(1), 1e-4);
    EXPECT_NEAR(0.975, utility_t3(3.182446), 1e-4);
    EXPECT_NEAR(0.05, utility_t3(-2.353363), 1e-4);
    EXPECT_NEAR(0.995, utility_t3(5.840909), 1e-4);
    EXPECT_TRUE(utility_t3(-1000) > 0 && utility_t3(-1000) < 1e-4);
    EXPECT_TRUE(utility_t3(1000) < 1);
    double many[3] = {-2.353363, 1, 70};
    utility_t3_all(many, 3);
    EXPECT_NEAR(0.05, many[0], 1e-4);
    EXPECT_NEAR(0.80450, many[1], 1e-4);
    EXPECT_NEAR(utility_t3(50), many[2], 1e-12);
}

TEST_MAIN(RUN(score_is_the_expected_arctangent), RUN(score_of_a_sure_result_by_hand),
          RUN(score_beyond_the_table_is_held), RUN(slope_is_the_derivative), RUN(utility_by_hand),
          RUN(t3_agrees_with_printed_tables))
