/* When training becomes suspect, how the last good weights decide about the cause, how the learning
 * rate falls and recovers, and what a checkpoint keeps of all this. */
#include "base/settings.h"
#include "test.h"
#include "train/divergence.h"

static DivergenceSettings usual(void) {
    DivergenceSettings settings;
    settings_defaults(DIVERGENCE_FIELDS, &settings);
    return settings;
}

static Divergence make(void) {
    Divergence watch;
    DivergenceSettings settings = usual();
    divergence_init(&watch, &settings);
    return watch;
}

/* Adds batches with this loss and gradient norm, and checks that training is not suspect after
 * any. */
static void tell_steady(Divergence *watch, int batches, double loss, double norm) {
    for (int i = 0; i < batches; i++)
        EXPECT_FALSE(divergence_add_batch(watch, loss, norm));
}

/* Returns a Divergence whose median loss is 4 and whose median gradient norm is 1. */
static Divergence make_steady(void) {
    Divergence watch = make();
    tell_steady(&watch, 100, 4, 1);
    return watch;
}

/* Adds batches with this loss and norm until training is suspect, and returns how many it took, or
 * 0 if it is not suspect after 50. */
static int batches_until_suspect(Divergence *watch, double loss, double norm) {
    for (int i = 1; i <= 50; i++) {
        if (divergence_add_batch(watch, loss, norm)) return i;
    }
    return 0;
}

TEST(settings_are_kept_and_a_new_watch_leaves_the_rate) {
    DivergenceSettings settings = usual();
    Divergence watch;
    settings.batches = 7;
    divergence_init(&watch, &settings);
    EXPECT_INT(7, watch.settings.batches);
    EXPECT_NEAR(1, divergence_rate(&watch, 0), 0);
    EXPECT_NEAR(1, divergence_rate(&watch, 1000000), 0);
    EXPECT_NEAR(0, divergence_norm(&watch), 0);
    EXPECT_INT(0, watch.setbacks);
}

/* Losses fall from 6 to 4 with small waves, and gradient norms are between 1 and 3. */
TEST(a_usual_training_is_never_suspect) {
    Divergence watch = make();
    for (int i = 0; i < 3000; i++) {
        double loss = 4 + 2 * exp(-i / 300.0) + 0.3 * sin(i), norm = 2 + sin(1.7 * i);
        EXPECT_FALSE(divergence_add_batch(&watch, loss, norm));
    }
    EXPECT_INT(0, watch.suspicion);
    EXPECT_INT(0, watch.setbacks);
}

TEST(the_norm_is_a_median_of_the_last_256) {
    Divergence watch = make();
    tell_steady(&watch, 15, 4, 3);
    EXPECT_NEAR(0, divergence_norm(&watch), 0); /* fewer than 16 batches */
    tell_steady(&watch, 1, 4, 3);
    EXPECT_NEAR(3, divergence_norm(&watch), 0);
    tell_steady(&watch, 128, 4, 5); /* 16 of the 144 norms are 3 */
    EXPECT_NEAR(5, divergence_norm(&watch), 0);
    tell_steady(&watch, DIVERGENCE_HISTORY, 4, 2);
    EXPECT_NEAR(2, divergence_norm(&watch), 0);
    tell_steady(&watch, DIVERGENCE_HISTORY / 2 - 1, 4, 9);
    EXPECT_NEAR(2, divergence_norm(&watch), 0);
    tell_steady(&watch, 2, 4, 9);
    EXPECT_NEAR(9, divergence_norm(&watch), 0);
}

/* A single outlier between 20 usual batches does not make training suspect, however large it is. It
 * does not enter the history either. */
TEST(one_outlier_alone_is_not_enough) {
    Divergence watch = make_steady();
    for (int i = 0; i < 20; i++) {
        EXPECT_FALSE(divergence_add_batch(&watch, 4, 1e9));
        EXPECT_TRUE(watch.suspicion > 0);
        tell_steady(&watch, 20, 4, 1);
        EXPECT_INT(0, watch.suspicion);
    }
    EXPECT_NEAR(1, divergence_norm(&watch), 0);
}

TEST(enough_outliers_in_a_row_make_training_suspect) {
    static const struct {
        double loss, norm;
        int batches;
    } CASES[] = {{4, 9.9, 0}, {4, 10.1, 4}, {7.9, 1, 0}, {8.1, 1, 4}, {40, 100, 4}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Divergence watch = make_steady();
        watch.settings.first_loss = 0;
        EXPECT_INT(CASES[i].batches, batches_until_suspect(&watch, CASES[i].loss, CASES[i].norm));
        watch = make_steady();
        watch.settings.first_loss = 0;
        watch.settings.batches = 1;
        EXPECT_INT(CASES[i].batches ? 1 : 0,
                   batches_until_suspect(&watch, CASES[i].loss, CASES[i].norm));
    }
}

TEST(tests_set_to_0_are_off) {
    Divergence watch = make_steady();
    watch.settings.gradient = 0;
    EXPECT_INT(0, batches_until_suspect(&watch, 4, 1e9));
    watch = make_steady();
    watch.settings.loss = watch.settings.first_loss = 0;
    EXPECT_INT(0, batches_until_suspect(&watch, 1e9, 1));
}

/* Returns whether training becomes suspect if the first two of every `period` batches are
 * outliers. */
static bool is_suspect_with_period(int period) {
    Divergence watch = make_steady();
    for (int i = 0; i < 400; i++) {
        if (divergence_add_batch(&watch, 4, i % period < 2 ? 50 : 1)) return true;
    }
    return false;
}

/* More than a quarter of all batches are outliers, but there are never four outliers in a row.
 * Nevertheless training becomes suspect in time. */
TEST(scattered_outliers_add_up_above_a_quarter) {
    EXPECT_TRUE(is_suspect_with_period(4));
    EXPECT_TRUE(is_suspect_with_period(7)); /* 2 / 7 is more than a quarter */
    EXPECT_FALSE(is_suspect_with_period(8));
    EXPECT_FALSE(is_suspect_with_period(9));
}

/* With fewer than 16 batches there is no median. Then only the loss is tested, against that of the
 * first batch. */
TEST(a_short_history_tests_only_the_first_loss) {
    Divergence watch = make();
    EXPECT_FALSE(divergence_add_batch(&watch, 6, 1));
    EXPECT_INT(0, batches_until_suspect(&watch, 8.9, 1));
    watch = make();
    EXPECT_FALSE(divergence_add_batch(&watch, 6, 1));
    EXPECT_INT(4, batches_until_suspect(&watch, 9.1, 1));
    watch = make();
    watch.settings.first_loss = 0;
    EXPECT_FALSE(divergence_add_batch(&watch, 6, 1));
    for (int i = 1; i < 16; i++)
        EXPECT_FALSE(divergence_add_batch(&watch, 1000, 1000));
    watch = make();
    tell_steady(&watch, 15, 6, 1);
    EXPECT_FALSE(
        divergence_add_batch(&watch, 6, 1000)); /* the 16th batch; the median exists after it */
    EXPECT_INT(0, watch.suspicion);
    EXPECT_FALSE(divergence_add_batch(&watch, 6, 1000));
    EXPECT_TRUE(watch.suspicion > 0);
}

/* If the good weights do about as badly on a suspect batch, the data has changed. Then there is no
 * setback, and the history starts anew with this batch. */
TEST(data_that_is_as_bad_for_the_good_weights_starts_a_new_history) {
    Divergence watch = make_steady();
    EXPECT_INT(4, batches_until_suspect(&watch, 20, 40));
    EXPECT_TRUE(divergence_may_go_on(&watch, 20, 40, 19, 30));
    EXPECT_INT(0, watch.suspicion);
    EXPECT_INT(0, watch.setbacks);
    EXPECT_NEAR(1, divergence_rate(&watch, 100), 0);
    EXPECT_NEAR(0, divergence_norm(&watch), 0); /* the history has only one batch */
    tell_steady(&watch, 50, 20, 40);
    EXPECT_NEAR(40, divergence_norm(&watch), 0);
    EXPECT_INT(4, batches_until_suspect(&watch, 41, 40));
}

/* Good weights with a loss above 20 / 0.9 are clearly worse than the present weights, so training
 * has learned, however large its gradients are. */
TEST(good_weights_that_do_better_mean_that_training_diverged) {
    static const struct {
        double good_loss, good_norm;
        bool goes_on;
    } CASES[] = {{4, 1, false},  {15.9, 40, false},        {20, 11.9, false},
                 {22, 1, false}, {(double)NAN, 40, false}, {16.1, 12.1, true},
                 {20, 40, true}, {30, 90, true},           {22.3, 1, true}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Divergence watch = make_steady();
        EXPECT_INT(4, batches_until_suspect(&watch, 20, 40));
        EXPECT_INT(CASES[i].goes_on,
                   divergence_may_go_on(&watch, 20, 40, CASES[i].good_loss, CASES[i].good_norm));
        EXPECT_NEAR(CASES[i].goes_on ? 0 : 1, divergence_norm(&watch), 0);
    }
}

/* A setback multiplies the rate by 0.25. The rate doubles after 1000 samples. After the second
 * setback it doubles every 2 * 1000 samples. */
TEST(the_rate_falls_by_a_setback_and_doubles_with_time) {
    Divergence watch = make_steady();
    watch.settings.setback_rate = 0.25;
    watch.settings.setback_samples = 1000;
    EXPECT_INT(4, batches_until_suspect(&watch, 20, 40));
    divergence_set_back(&watch, 5000);
    EXPECT_INT(1, watch.setbacks);
    EXPECT_INT(0, watch.suspicion);
    EXPECT_NEAR(0.25, divergence_rate(&watch, 5000), 1e-9);
    EXPECT_NEAR(0.25, divergence_rate(&watch, 5999), 1e-9);
    EXPECT_NEAR(0.5, divergence_rate(&watch, 6000), 1e-9);
    EXPECT_NEAR(0.5, divergence_rate(&watch, 6999), 1e-9);
    divergence_set_back(&watch, 6500);
    EXPECT_INT(2, watch.setbacks);
    EXPECT_NEAR(0.125, divergence_rate(&watch, 6500), 1e-9);
    EXPECT_NEAR(0.125, divergence_rate(&watch, 8499), 1e-9);
    EXPECT_NEAR(0.25, divergence_rate(&watch, 8500), 1e-9);
    EXPECT_NEAR(1, divergence_rate(&watch, 12500), 1e-9); /* doubled twice since the last call */
    EXPECT_NEAR(1, divergence_rate(&watch, 1000000), 0);
}

/* From 0.3 the rate doubles to 0.6, and then becomes 1, not 1.2. */
TEST(the_rate_never_becomes_more_than_it_was_set_to) {
    Divergence watch = make();
    divergence_set_back(&watch, 0);
    EXPECT_NEAR(0.3, divergence_rate(&watch, 49999), 1e-6);
    EXPECT_NEAR(0.6, divergence_rate(&watch, 50000), 1e-6);
    EXPECT_NEAR(1, divergence_rate(&watch, 100000), 0);
    EXPECT_NEAR(1, divergence_rate(&watch, 100000000), 0);
}

static TensorFile *saved(const Divergence *watch) {
    TensorFile *file;
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(divergence_save(watch, file, err));
    return file;
}

/* Once the rate is 1 again, earlier setbacks no longer slow down its recovery from later ones. */
TEST(a_series_of_setbacks_ends_when_the_rate_is_1_again) {
    Divergence watch = make();
    watch.settings.setback_rate = 0.5;
    watch.settings.setback_samples = 100;
    divergence_set_back(&watch, 0);
    divergence_set_back(&watch, 0);
    EXPECT_NEAR(0.25, divergence_rate(&watch, 199), 0);
    EXPECT_NEAR(0.5, divergence_rate(&watch, 200), 0);
    EXPECT_NEAR(1, divergence_rate(&watch, 400), 0);
    divergence_set_back(&watch, 1000);
    EXPECT_INT(3, watch.setbacks);
    EXPECT_NEAR(0.5, divergence_rate(&watch, 1099), 0);
    EXPECT_NEAR(1, divergence_rate(&watch, 1100), 0);
}

TEST(the_rate_has_a_floor) {
    Divergence watch = make();
    for (int i = 0; i < 100; i++)
        divergence_set_back(&watch, 0);
    EXPECT_NEAR(1e-3, divergence_rate(&watch, 0), 1e-12);
}

/* A Divergence that is read from a checkpoint continues as the saved one, but keeps its own
 * settings. */
TEST(the_state_is_restored_from_a_checkpoint) {
    Divergence watch = make(), other = make();
    for (int i = 0; i < 300; i++)
        EXPECT_FALSE(divergence_add_batch(&watch, 4 + 0.01 * (i % 10), 1 + 0.1 * (i % 7)));
    divergence_set_back(&watch, 7000);
    EXPECT_FALSE(divergence_add_batch(&watch, 20, 40));
    other.settings.setback_samples = 10;
    TensorFile *file = saved(&watch);
    EXPECT_OK(divergence_restore(&other, file, err));
    tensor_file_free(file);
    EXPECT_INT(10, other.settings.setback_samples);
    other.settings = watch.settings;
    EXPECT_INT(watch.batches, other.batches);
    EXPECT_INT(1, other.setbacks);
    EXPECT_INT(1, other.series);
    EXPECT_INT(1, other.outliers);
    EXPECT_NEAR(divergence_norm(&watch), divergence_norm(&other), 0);
    EXPECT_NEAR(divergence_rate(&watch, 57000), divergence_rate(&other, 57000), 0);
    EXPECT_NEAR(divergence_rate(&watch, 1), divergence_rate(&other, 1), 0);
    EXPECT_INT(3, batches_until_suspect(&watch, 20, 40)); /* there was one outlier before */
    EXPECT_INT(3, batches_until_suspect(&other, 20, 40));
}

TEST(a_checkpoint_without_the_state_changes_nothing) {
    Divergence watch = make_steady(), before;
    TensorFile *file;
    divergence_set_back(&watch, 3);
    memcpy(&before, &watch, sizeof watch);
    EXPECT_OK(tensor_file_new(&file, err));
    EXPECT_OK(divergence_restore(&watch, file, err));
    tensor_file_free(file);
    EXPECT_INT(0, memcmp(&before, &watch, sizeof watch));
}

/* Checks that a checkpoint with these damaged numbers is refused and changes nothing. */
static void expect_refused(const Divergence *damaged) {
    Divergence watch = make_steady(), before;
    TensorFile *file = saved(damaged);
    Error fault = {0};
    memcpy(&before, &watch, sizeof watch);
    EXPECT_STATUS(ERR_SYNTAX, divergence_restore(&watch, file, &fault));
    EXPECT_TRUE(*fault.message);
    EXPECT_INT(0, memcmp(&before, &watch, sizeof watch));
    tensor_file_free(file);
}

TEST(damaged_numbers_are_refused) {
    static const double BAD_RATES[] = {0, -0.5, 1.5, (double)NAN, HUGE_VAL},
                        BAD_LOSSES[] = {-1, (double)NAN, -HUGE_VAL};
    Divergence damaged;
    for (size_t i = 0; i < sizeof BAD_RATES / sizeof *BAD_RATES; i++) {
        damaged = make_steady();
        damaged.rate = BAD_RATES[i];
        expect_refused(&damaged);
    }
    for (size_t i = 0; i < sizeof BAD_LOSSES / sizeof *BAD_LOSSES; i++) {
        damaged = make_steady();
        damaged.first_loss = BAD_LOSSES[i];
        expect_refused(&damaged);
        damaged = make_steady();
        damaged.losses[DIVERGENCE_HISTORY - 1] = BAD_LOSSES[i];
        expect_refused(&damaged);
        damaged = make_steady();
        damaged.norms[0] = BAD_LOSSES[i];
        expect_refused(&damaged);
    }
    int64_t *const COUNTS[] = {&damaged.batches, &damaged.setbacks, &damaged.rate_from,
                               &damaged.outliers, &damaged.series};
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        damaged = make_steady();
        *COUNTS[i] = -1;
        expect_refused(&damaged);
        damaged = make_steady();
        *COUNTS[i] = INT64_MAX;
        expect_refused(&damaged);
    }
    damaged = make_steady();
    damaged.suspicion = -3;
    expect_refused(&damaged);
}

TEST_MAIN(RUN(settings_are_kept_and_a_new_watch_leaves_the_rate),
          RUN(a_usual_training_is_never_suspect), RUN(the_norm_is_a_median_of_the_last_256),
          RUN(one_outlier_alone_is_not_enough), RUN(enough_outliers_in_a_row_make_training_suspect),
          RUN(tests_set_to_0_are_off), RUN(scattered_outliers_add_up_above_a_quarter),
          RUN(a_short_history_tests_only_the_first_loss),
          RUN(data_that_is_as_bad_for_the_good_weights_starts_a_new_history),
          RUN(good_weights_that_do_better_mean_that_training_diverged),
          RUN(the_rate_falls_by_a_setback_and_doubles_with_time),
          RUN(the_rate_never_becomes_more_than_it_was_set_to),
          RUN(a_series_of_setbacks_ends_when_the_rate_is_1_again), RUN(the_rate_has_a_floor),
          RUN(the_state_is_restored_from_a_checkpoint),
          RUN(a_checkpoint_without_the_state_changes_nothing), RUN(damaged_numbers_are_refused))
