/* The search of the learning rate, on made-up losses and on small trainings. */
#define _GNU_SOURCE /* nftw */
#include "run/supervised/rate_search.h"

#include <math.h>

#include "data/made_rows.h"
#include "run/tiny_run.h"

/* A loss that is smallest at `best` and infinite above `highest`. */
typedef struct {
    double best, highest;
    int tries, fails_at;
} MadeUp;

static Status try_made_up(void *context, double rate, double *loss, Error *err) {
    MadeUp *made = context;
    if (++made->tries == made->fails_at) return ERR_IO;
    (void)err;
    *loss = rate > made->highest ? HUGE_VAL : 3 + pow(log(rate / made->best), 2);
    return OK;
}

/* Wherever the search begins, it ends within a factor of 2^(1/4) of the best rate, because the loss
 * is symmetric in the logarithm of the rate. It does not try a rate twice. */
TEST(the_best_rate_is_found) {
    for (double first = 1e-7; first < 1e-3; first *= 1.9) {
        MadeUp made = {.best = 1e-5, .highest = 1};
        RateSearch found;
        EXPECT_OK(rate_search(first, try_made_up, &made, &found, err));
        EXPECT_TRUE(fabs(log2(found.trials[found.best].rate / 1e-5)) <= 0.25 + 1e-9);
        EXPECT_INT(made.tries, found.count);
        EXPECT_NEAR(first, found.trials[0].rate, 0);
        for (int i = 0; i < found.count; i++) {
            EXPECT_TRUE(found.trials[i].loss >= found.trials[found.best].loss);
            for (int k = 0; k < i; k++)
                EXPECT_TRUE(fabs(log2(found.trials[i].rate / found.trials[k].rate)) > 0.4);
        }
    }
}

/* The loss falls with the rate, up to the rate at which training diverges. */
TEST(rates_that_diverge_are_not_taken) {
    MadeUp made = {.best = 1, .highest = 9e-6};
    RateSearch found;
    EXPECT_OK(rate_search(1e-6, try_made_up, &made, &found, err));
    EXPECT_NEAR(8e-6, found.trials[found.best].rate, 1e-12);
    made = (MadeUp){.best = 1, .highest = 1e-8}; /* it must go down first */
    EXPECT_OK(rate_search(1e-6, try_made_up, &made, &found, err));
    EXPECT_NEAR(1e-6 / 128, found.trials[found.best].rate, 1e-15);
    EXPECT_TRUE(isfinite(found.trials[found.best].loss));
}

TEST(a_search_ends) {
    MadeUp made = {.best = 1e300, .highest = HUGE_VAL};
    RateSearch found;
    EXPECT_OK(rate_search(1e-6, try_made_up, &made, &found, err));
    EXPECT_INT(RATE_TRIALS_MAX, found.count);
    for (int at = 1; at <= 5; at++) {
        Error error = {0};
        made = (MadeUp){.best = 1e-6, .highest = 1, .fails_at = at};
        EXPECT_STATUS(ERR_IO, rate_search(1e-6, try_made_up, &made, &found, &error));
        EXPECT_INT(at, made.tries);
    }
}

static void count_trials(void *context, const RateTrial *trial) {
    int *count = context;
    *count += trial->rate > 0;
}

static SupervisedConfig small(void) {
    SupervisedConfig config;
    SettingsGroup groups[SUPERVISED_GROUPS];
    supervised_config_defaults(&config);
    supervised_config_groups(&config, groups);
    EXPECT_OK(settings_set(groups, "supervised.arch", "b1c8-nodist", err));
    EXPECT_OK(settings_set(groups, "supervised.threads", "1", err));
    EXPECT_OK(settings_set(groups, "loader.batch", "32", err));
    EXPECT_OK(settings_set(groups, "loader.validation", "0.25", err));
    EXPECT_OK(settings_set(groups, "averaging.period_samples", "32", err));
    return config;
}

/* Two searches give the same losses to the bit, and a rate near 0 learns less than the best. */
TEST(trainings_are_compared) {
    Folder folder = make_folder();
    SupervisedConfig config = small();
    Path rows = path_in(folder.text, "a.npz"), held = path_in(folder.text, "held.npz");
    const char *paths[] = {rows.text}, *held_paths[] = {held.text};
    RateSearch found[2], low;
    int told = 0;
    made_file(rows.text, 4, 4, 4, 300, 1);
    made_file(held.text, 4, 4, 4, 50, 2);
    RateSearchSetup setup = {.training = {paths, 1},
                             .validation = {held_paths, 1},
                             .config = &config,
                             .samples = 512,
                             .tell = count_trials,
                             .context = &told};
    for (int i = 0; i < 2; i++)
        EXPECT_OK(rate_search_train(&setup, &found[i], err));
    EXPECT_INT(found[0].count + found[1].count, told);
    EXPECT_INT(found[0].count, found[1].count);
    for (int i = 0; i < found[0].count; i++) {
        EXPECT_NEAR(found[0].trials[i].rate, found[1].trials[i].rate, 0);
        EXPECT_TRUE(found[0].trials[i].loss == found[1].trials[i].loss);
    }
    config.training.schedule.rate = 1e-12;
    setup.tell = NULL;
    EXPECT_OK(rate_search_train(&setup, &low, err));
    EXPECT_NEAR(1e-12, low.trials[0].rate, 0);
    EXPECT_TRUE(low.trials[0].loss > found[0].trials[found[0].best].loss + 0.1);
    remove_folder(&folder);
}

TEST(without_validation_rows_there_is_nothing_to_compare) {
    Folder folder = make_folder();
    SupervisedConfig config = small();
    Path rows = path_in(folder.text, "a.npz");
    const char *paths[] = {rows.text};
    RateSearch found;
    Error error = {0};
    made_file(rows.text, 4, 4, 4, 64, 1);
    config.loader.validation = 0;
    const RateSearchSetup setup = {.training = {paths, 1}, .config = &config, .samples = 32};
    EXPECT_STATUS(ERR_ARGUMENT, rate_search_train(&setup, &found, &error));
    EXPECT_CONTAINS(error.message, "validation rows");
    remove_folder(&folder);
}

TEST_MAIN(RUN(the_best_rate_is_found), RUN(rates_that_diverge_are_not_taken), RUN(a_search_ends),
          RUN(trainings_are_compared), RUN(without_validation_rows_there_is_nothing_to_compare))
