/* Training on 13x13 from rows of random play, with the usual settings, keeps small gradients and
 * learns. If losses in points had the same weight on all boards, gradients would grow until
 * training diverged. */
#define _GNU_SOURCE /* nftw */
#include <math.h>

#include "run/cycle/cycle_private.h"
#include "run/tiny_run.h"

/* Returns settings with few visits and a small net. The settings of training are the defaults. */
static RunConfig usual(void) {
    static const char *const SETTINGS[] = {
        "selfplay.sizes=13:1",      "selfplay.full.visits=6",      "selfplay.cheap.visits=2",
        "selfplay.games_at_once=8", "run.arch=b2c16-fixup-nodist", "run.threads=1",
        "run.disk_reserve_mb=0",    "loader.memory_mb=64"};
    RunConfig config;
    SettingsGroup groups[RUN_GROUPS];
    run_config_defaults(&config);
    run_config_groups(&config, groups);
    for (size_t i = 0; i < sizeof SETTINGS / sizeof *SETTINGS; i++)
        EXPECT_OK(settings_assign(groups, SETTINGS[i], err));
    return config;
}

/* Trains 21,504 samples of 1,500 rows. Measured: the loss falls from 10.0 to 8.7, and the mean norm
 * of the gradient rises to 4.0. With equal weights on all boards the loss stays at 16.0, and the
 * mean norm rises to 7.6. */
TEST(training_stays_calm_and_learns) {
    Folder run = make_folder();
    RunConfig config = usual();
    Cycle *cycle;
    double first_loss = 0, longest = 0;
    EXPECT_OK(cycle_open(run.text, &config, NULL, &cycle, err));
    EXPECT_OK(cycle_selfplay(cycle, 1500, err));
    for (int part = 0; part < 14; part++) {
        EXPECT_OK(cycle_train(cycle, 1536, err));
        if (!part) first_loss = cycle->results.metrics.loss;
        longest = fmax(longest, cycle->results.metrics.gradient_norm);
    }
    print_message("loss at first %.2f, at the end %.2f (policy %.3f, value %.3f); "
                  "largest mean norm of the gradient %.2f\n",
                  first_loss, cycle->results.metrics.loss, cycle->results.metrics.policy,
                  cycle->results.metrics.value, longest);
    EXPECT_TRUE(cycle->results.metrics.loss < 0.91 * first_loss);
    EXPECT_TRUE(cycle->results.metrics.value < 0.72 && cycle->results.metrics.policy < 4.8);
    EXPECT_TRUE(longest < 6.5);
    EXPECT_INT(0, trainer_setbacks(cycle->trainers.trainer));
    cycle_close(cycle);
    remove_folder(&run);
}

TEST_MAIN(RUN(training_stays_calm_and_learns))
