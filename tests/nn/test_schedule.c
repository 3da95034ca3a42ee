/* Learning rates: each kind of schedule is compared with values by hand, and with the tables of the
 * programs that it comes from. */
#include "nn/learn/schedule.h"
#include "test.h"

enum { KNOTS = 3, LOGLINEAR, POWER }; /* schedule.kind */

static ScheduleSettings usual(int kind, const char *knots) {
    ScheduleSettings config;
    settings_defaults(SCHEDULE_FIELDS, &config);
    config.rate = 1;
    config.kind = kind;
    snprintf(config.knots, sizeof config.knots, "%s", knots);
    return config;
}

static double rate(const ScheduleSettings *config, int64_t samples) {
    RateSchedule schedule;
    EXPECT_OK(schedule_init(&schedule, config, err));
    return schedule_rate(&schedule, samples);
}

TEST(courses_after_a_linear_warm_up) {
    ScheduleSettings config;
    settings_defaults(SCHEDULE_FIELDS, &config);
    config.rate = 0.5;
    EXPECT_NEAR(0.5, rate(&config, 0), 1e-12);
    config.warmup_samples = 100;
    EXPECT_NEAR(0.5 * 1 / 100, rate(&config, 0), 1e-12);
    EXPECT_NEAR(0.5 * 50 / 100, rate(&config, 49), 1e-12);
    EXPECT_NEAR(0.5, rate(&config, 100), 1e-12);
    config.kind = 1; /* cosine */
    config.total_samples = 1000;
    config.final_factor = 0.2;
    EXPECT_NEAR(0.5, rate(&config, 100), 1e-9);
    EXPECT_NEAR(0.5 * (0.2 + 0.8 / 2), rate(&config, 600), 1e-7);
    EXPECT_NEAR(0.1, rate(&config, 1100), 1e-7);
    EXPECT_NEAR(0.1, rate(&config, 1000000), 1e-7);
    config.kind = 2; /* steps */
    config.drop_factor = 0.5;
    config.drop_samples = 10;
    EXPECT_NEAR(0.5, rate(&config, 109), 1e-9);
    EXPECT_NEAR(0.25, rate(&config, 110), 1e-9);
    EXPECT_NEAR(0.5 / 8, rate(&config, 130), 1e-9);
}

TEST(warm_up_in_steps) {
    ScheduleSettings config;
    static const double PARTS[] = {20, 14, 10, 7, 5, 3, 2, 1.4, 1};
    settings_defaults(SCHEDULE_FIELDS, &config);
    config.rate = 1;
    config.warmup_samples = 2000000;
    config.warmup = 1;
    for (int k = 0; k < 9; k++) {
        EXPECT_NEAR(1 / PARTS[k], rate(&config, k * 250000), 1e-6);
        EXPECT_NEAR(1 / PARTS[k], rate(&config, k * 250000 + 249999), 1e-6);
    }
}

/* KataGo, python/train.py: the factors of lr_scale "auto" (with its warm-up) and "auto2". `until`
 * is in millions of samples. */
TEST(knots_are_tables_of_factors) {
    static const struct {
        int64_t until;
        double scale;
    } AUTO[] = {{550, 8},    {1400, 6}, {2500, 4},   {3400, 3},  {4200, 2},
                {4900, 1.5}, {5500, 1}, {6400, 0.7}, {9000, 0.5}},
      AUTO2[] = {{20, 12},    {40, 9},     {70, 6},     {100, 4},   {140, 3},    {180, 2},
                 {220, 1.5},  {260, 1},    {300, 0.7},  {350, 0.5}, {400, 0.35}, {450, 0.25},
                 {500, 0.18}, {550, 0.12}, {600, 0.08}, {900, 0.05}};
    ScheduleSettings config = usual(KNOTS, "0:8,550e6:6,1400e6:4,2500e6:3,3400e6:2,4200e6:1.5,"
                                           "4900e6:1,5500e6:0.7,6400e6:0.5");
    config.rate = 3e-5;
    config.warmup = 1;
    config.warmup_samples = 2000000;
    EXPECT_NEAR(3e-5 * 8 / 20, rate(&config, 0), 1e-10);
    EXPECT_NEAR(3e-5 * 8 / 1.4, rate(&config, 1999999), 1e-10);
    for (size_t i = 0; i < sizeof AUTO / sizeof *AUTO; i++) {
        EXPECT_NEAR(3e-5 * AUTO[i].scale, rate(&config, AUTO[i].until * 1000000 - 1), 1e-10);
        if (i) EXPECT_NEAR(3e-5 * AUTO[i].scale, rate(&config, AUTO[i - 1].until * 1000000), 1e-10);
    }
    config = usual(KNOTS, "0:12,20e6:9,40e6:6,70e6:4,100e6:3,140e6:2,180e6:1.5,220e6:1,260e6:0.7,"
                          "300e6:0.5,350e6:0.35,400e6:0.25,450e6:0.18,500e6:0.12,550e6:0.08,"
                          "600e6:0.05");
    for (size_t i = 0; i < sizeof AUTO2 / sizeof *AUTO2; i++) {
        EXPECT_NEAR(AUTO2[i].scale, rate(&config, AUTO2[i].until * 1000000 - 1), 1e-12);
        if (i) EXPECT_NEAR(AUTO2[i].scale, rate(&config, AUTO2[i - 1].until * 1000000), 1e-12);
    }
}

/* In lczero-training, the rate is one of lr_values between two lr_boundaries. During the warm-up it
 * is multiplied by (step + 1) / warmup_steps. Here the rate begins at 0.2 and is multiplied by 0.8
 * after each 100,000 steps, down to 0.00288 at 1.9 million. A sample stands for a step. */
TEST(values_between_boundaries) {
    StrBuf knots = {0};
    for (int k = 0; k < 20; k++)
        strbuf_addf(&knots, "%s%de5:%.3g", k ? "," : "", k, 0.2 * pow(0.8, k));
    ScheduleSettings config = usual(KNOTS, strbuf_text(&knots));
    strbuf_clear(&knots);
    config.warmup_samples = 4000;
    EXPECT_NEAR(0.2 * 1 / 4000, rate(&config, 0), 1e-12);
    EXPECT_NEAR(0.2 * 2000 / 4000, rate(&config, 1999), 1e-12);
    EXPECT_NEAR(0.2, rate(&config, 99999), 1e-12);
    EXPECT_NEAR(0.16, rate(&config, 100000), 1e-12);
    EXPECT_NEAR(0.00288, rate(&config, 1900000), 1e-5);
    EXPECT_NEAR(0.00288, rate(&config, 5000000), 1e-5);
}

/* p3achygo's run of 2026. Here a sample stands for a generation. During the ten generations before
 * a knot, the rate moves along a cosine to the factor of the knot. */
TEST(knots_are_blended_along_a_cosine) {
    ScheduleSettings config = usual(KNOTS, "0:1e-3,40:7e-3,75:4e-4,100:2e-4,165:1e-4,250:7e-5");
    config.blend_samples = 10;
    EXPECT_NEAR(1e-3, rate(&config, 0), 1e-12);
    EXPECT_NEAR(1e-3, rate(&config, 30), 1e-12);
    EXPECT_NEAR(1e-3 + 6e-3 * (1 - cos(acos(-1) * 0.3)) / 2, rate(&config, 33), 1e-12);
    EXPECT_NEAR(4e-3, rate(&config, 35), 1e-12);
    EXPECT_NEAR(7e-3, rate(&config, 40), 1e-12);
    EXPECT_NEAR((7e-3 + 4e-4) / 2, rate(&config, 70), 1e-12);
    EXPECT_NEAR(7e-5, rate(&config, 250), 1e-12);
    EXPECT_NEAR(7e-5, rate(&config, 1000), 1e-12);
}

/* GoNN, train.py, April 2018. An epoch has a million samples. With update_samples, the rate changes
 * at every second epoch. */
TEST(knots_on_a_logarithmic_scale) {
    static const struct {
        int64_t epoch;
        double rate;
    } APRIL[] = {{0, 2.5e-4},  {6, 1.1e-4},   {10, 7.5e-5},  {20, 3.4e-5},  {40, 1.6e-5},
                 {70, 7.2e-6}, {100, 4.2e-6}, {140, 2.8e-6}, {200, 1.8e-6}, {300, 1.1e-6}};
    ScheduleSettings config =
        usual(LOGLINEAR, "0:2.5e-4,6e6:1.1e-4,10e6:7.5e-5,20e6:3.4e-5,40e6:1.6e-5,70e6:7.2e-6,"
                         "100e6:4.2e-6,140e6:2.8e-6,200e6:1.8e-6,300e6:1.1e-6");
    for (size_t i = 0; i < sizeof APRIL / sizeof *APRIL; i++)
        EXPECT_NEAR(APRIL[i].rate, rate(&config, APRIL[i].epoch * 1000000), 1e-14);
    EXPECT_NEAR(sqrt(2.5e-4 * 1.1e-4), rate(&config, 3000000), 1e-12);
    EXPECT_NEAR(3.4e-5 * pow(1.6 / 3.4, 0.25), rate(&config, 25000000), 1e-12);
    EXPECT_NEAR(1.1e-6, rate(&config, 900000000), 1e-14);
    config.update_samples = 2000000;
    EXPECT_NEAR(3.4e-5 * pow(1.6 / 3.4, 0.2), rate(&config, 25999999), 1e-12);
    EXPECT_NEAR(3.4e-5 * pow(1.6 / 3.4, 0.3), rate(&config, 26000000), 1e-12);
}

/* In the first version of Wu 2019, the rate after t samples is as follows, where tau is ten epochs.
 * After 150 epochs the rate no longer falls:
 *     6e-5 / (t / tau + 1)^(4/3)
 * In GoNN of March 2018, the rate is as follows, where k is the number of epochs divided by 4 and
 * rounded down:
 *     3.2e-4 / ((k + 8) / 8)^2 */
TEST(powers_of_time) {
    ScheduleSettings config = usual(POWER, "");
    config.rate = 6e-5;
    config.final_factor = pow(16, -4.0 / 3);
    EXPECT_NEAR(6e-5, rate(&config, 0), 1e-11);
    EXPECT_NEAR(6e-5 / pow(2, 4.0 / 3), rate(&config, 10000000), 1e-11);
    EXPECT_NEAR(6e-5 / pow(8, 4.0 / 3), rate(&config, 70000000), 1e-11);
    EXPECT_NEAR(6e-5 / pow(16, 4.0 / 3), rate(&config, 150000000), 1e-11);
    EXPECT_NEAR(6e-5 / pow(16, 4.0 / 3), rate(&config, 400000000), 1e-11);
    config = usual(POWER, "");
    config.rate = 3.2e-4;
    config.power = 2;
    config.power_samples = 32000000;
    config.update_samples = 4000000;
    config.final_factor = 0;
    EXPECT_NEAR(3.2e-4 / pow(9.0 / 8, 2), rate(&config, 7999999), 1e-10);
    EXPECT_NEAR(3.2e-4 / pow(10.0 / 8, 2), rate(&config, 8000000), 1e-10);
    EXPECT_NEAR(3.2e-4 / pow(28.0 / 8, 2), rate(&config, 80000000), 1e-10);
}

TEST(before_the_first_knot_its_factor_holds) {
    ScheduleSettings config = usual(KNOTS, "100:3,200:5");
    config.blend_samples = 1000; /* longer than the distance between the knots */
    EXPECT_NEAR(3, rate(&config, 0), 0);
    EXPECT_NEAR(4, rate(&config, 150), 1e-12);
    config.kind = LOGLINEAR;
    EXPECT_NEAR(3, rate(&config, 99), 0);
    EXPECT_NEAR(sqrt(15), rate(&config, 150), 1e-12);
}

TEST(bad_knots_are_refused) {
    static const struct {
        int kind;
        const char *knots, *words;
    } BAD[] = {{KNOTS, "", "need schedule.knots"},
               {LOGLINEAR, "", "need schedule.knots"},
               {0, "0:1", "only schedule.kind knots and loglinear use it"},
               {POWER, "0:1", "only schedule.kind knots and loglinear use it"},
               {KNOTS, "nonsense", "\"nonsense\" is not SAMPLES:FACTOR"},
               {KNOTS, "0:1,", "\"\" is not SAMPLES:FACTOR"},
               {KNOTS, "0:1,,5:2", "\"\" is not SAMPLES:FACTOR"},
               {KNOTS, "0:1,5", "\"5\" is not SAMPLES:FACTOR"},
               {KNOTS, "0:1x", "\"1x\" is not a number"},
               {KNOTS, "0:1:2", "\"1:2\" is not a number"},
               {KNOTS, ":1", "is not a number"},
               {KNOTS, "0:nan", "is not a number"},
               {KNOTS, "0:0", "0 is not within"},
               {LOGLINEAR, "0:-1", "-1 is not within"},
               {KNOTS, "-5:1", "-5 is not within"},
               {KNOTS, "1e16:1", "is not within"},
               {KNOTS, "0:1,100:2,100:3", "100 samples come after 100"},
               {KNOTS, "5:1,3:2", "3 samples come after 5"}};
    RateSchedule schedule;
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        ScheduleSettings config = usual(BAD[i].kind, BAD[i].knots);
        Error error = {0};
        EXPECT_TRUE(schedule_init(&schedule, &config, &error));
        EXPECT_CONTAINS(error.message, BAD[i].words);
        EXPECT_CONTAINS(error.message, "schedule.k");
    }
}

TEST_MAIN(RUN(courses_after_a_linear_warm_up), RUN(warm_up_in_steps),
          RUN(knots_are_tables_of_factors), RUN(values_between_boundaries),
          RUN(knots_are_blended_along_a_cosine), RUN(knots_on_a_logarithmic_scale),
          RUN(powers_of_time), RUN(before_the_first_knot_its_factor_holds),
          RUN(bad_knots_are_refused))
