/* Experiments: the effects of arms and their intervals, worked out by hand; the compute that an arm
 * needs, read from its curve; and files that are refused. */
#include "base/rng.h"
#include "base/scratch.h"
#include "base/statistic.h"
#include "run/charts/chart.h"
#include "run/experiment/experiment_private.h"

/* Makes a fit of four players. Each has the variance `own` for itself, and all share the variance
 * `common`, which differences do not have. */
static EloFit fit_of(double elo[4], double covariance[16], double own, double common) {
    for (int i = 0; i < 16; i++)
        covariance[i] = common + (i % 5 ? 0 : own);
    return (EloFit){.players = 4, .elo = elo, .covariance = covariance, .anchor = -1};
}

static const int PLAYERS[] = {0, 1, 2, 3}, ARMS[] = {0, 0, 1, 1};

/* The sums of squares within the arms are 200 + 200. The games explain a variance of 50 for each
 * player, which gives 50 + 50 of these squares. So
 *     tau^2 = (400 - 100) / 2 = 150
 *     variance of the effect = 50 / 2 + 50 / 2 + 150 (1/2 + 1/2) */
TEST(seeds_and_games_both_widen_the_interval) {
    double elo[] = {10, -10, 60, 40}, covariance[16];
    EloFit fit = fit_of(elo, covariance, 50, 7);
    ArmEffect effects[2];
    SeedSpread spread;
    EXPECT_OK(experiment_effects(&(RatedRuns){&fit, PLAYERS, ARMS, 4, 2}, effects, &spread, err));
    EXPECT_INT(2, effects[0].seeds);
    EXPECT_INT(2, spread.freedom);
    EXPECT_NEAR(sqrt(150), spread.seed_deviation, 1e-9);
    EXPECT_NEAR(0, effects[0].mean, 1e-9);
    EXPECT_NEAR(50, effects[1].effect, 1e-9);
    EXPECT_NEAR(sqrt(50), effects[1].games_deviation, 1e-9);
    EXPECT_NEAR(sqrt(200), effects[1].deviation, 1e-9);
    EXPECT_NEAR(50 - 4.302653 * sqrt(200), effects[1].low, 1e-3);
    EXPECT_NEAR(50 + 4.302653 * sqrt(200), effects[1].high, 1e-3);
    EXPECT_NEAR(student_probability(50 / sqrt(200), 2), effects[1].superiority, 1e-9);
}

TEST(games_that_explain_all_leave_nothing_to_seeds) {
    double elo[] = {10, -10, 60, 40}, covariance[16];
    EloFit fit = fit_of(elo, covariance, 300, 0);
    ArmEffect effects[2];
    SeedSpread spread;
    EXPECT_OK(experiment_effects(&(RatedRuns){&fit, PLAYERS, ARMS, 4, 2}, effects, &spread, err));
    EXPECT_NEAR(0, spread.seed_deviation, 0);
    EXPECT_NEAR(effects[1].games_deviation, effects[1].deviation, 0);
}

TEST(one_seed_says_nothing_of_seeds) {
    double elo[] = {0, 100, 0, 0}, covariance[16];
    EloFit fit = fit_of(elo, covariance, 200, 0);
    const int arms[] = {0, 1}, others[] = {1, 1};
    ArmEffect effects[3];
    SeedSpread spread;
    EXPECT_OK(experiment_effects(&(RatedRuns){&fit, PLAYERS, arms, 2, 3}, effects, &spread, err));
    EXPECT_INT(0, spread.freedom);
    EXPECT_TRUE(spread.seed_deviation < 0);
    EXPECT_NEAR(100 - 1.959964 * 20, effects[1].low, 1e-3);
    EXPECT_INT(0, effects[2].seeds);
    EXPECT_STATUS(ERR_ARGUMENT, experiment_effects(&(RatedRuns){&fit, PLAYERS, others, 2, 2},
                                                   effects, &spread, NULL));
}

/* Moments are the fractions of the compute at which nets are compared. Players 0 to 3 are the nets
 * of the last moment, two of each arm. Players 4 to 7 are the nets of the moment before. Player 7
 * has no games. The errors of the ratings are independent except for a part that all share.
 *
 * The zero of the ratings is the mean rating of the first arm's two last nets. So this mean has no
 * error, and each of the two nets has an error of the same size. The mean rating of the other arm
 * at the last moment has the same error as the effect of this arm. */
TEST(every_number_has_the_error_of_a_difference_to_the_first_arm) {
    double elo[8] = {10, -10, 60, 40}, covariance[64], zero[8] = {0.5, 0.5}, weights[8];
    int group[8] = {0, 0, 0, 0, 0, 0, 0, 7}, count;
    ExperimentRun runs[4] = {{.arm = 0}, {.arm = 0}, {.arm = 1}, {.arm = 1}};
    ArmEffect effects[2];
    for (int i = 0; i < 64; i++)
        covariance[i] = 7 + (i % 9 ? 0 : 50);
    for (int i = 0; i < 4; i++)
        runs[i].at[0].player = 4 + i, runs[i].at[1].player = i;
    ExperimentResult r = {
        .runs = runs,
        .run_count = 4,
        .fit = {.players = 8, .elo = elo, .covariance = covariance, .group = group},
        .reference_weights = zero,
        .weights = weights};
    EXPECT_OK(
        experiment_effects(&(RatedRuns){&r.fit, PLAYERS, ARMS, 4, 2}, effects, &r.spread, err));
    EXPECT_NEAR(sqrt(150), r.spread.seed_deviation, 1e-9);
    EXPECT_NEAR(sqrt(50 * (0.25 + 0.25)), experiment_net_error(&r, 0).games_deviation, 1e-9);
    EXPECT_NEAR(sqrt(50 * (0.25 + 0.25)), experiment_net_error(&r, 1).games_deviation, 1e-9);
    EXPECT_NEAR(sqrt(50 * (1 + 0.5)), experiment_net_error(&r, 2).games_deviation, 1e-9);
    EXPECT_NEAR(0, experiment_mean_error(&r, 0, 1).radius, 1e-9);
    EXPECT_NEAR(effects[1].high - effects[1].effect, experiment_mean_error(&r, 1, 1).radius, 1e-9);
    EXPECT_NEAR(4.302653 * sqrt(200), experiment_mean_error(&r, 0, 0).radius, 1e-3);
    EXPECT_FALSE(experiment_has_rating(&r, 7) || experiment_has_rating(&r, -1));
    EXPECT_NEAR(0, experiment_mean(&r, 1, 0, &count), 0);
    EXPECT_INT(1, count);
    EXPECT_NEAR(sqrt((50 + 150) * 1.5), experiment_mean_error(&r, 1, 0).deviation, 1e-9);
}

enum { MADE_ARMS = 4, MADE_SEEDS = 3, MADE_NETS = MADE_ARMS * MADE_SEEDS };

/* Simulates an experiment whose true effects are known: nets also differ by their seeds, and games
 * are drawn from the Elo model. Returns how many of the intervals contain the true effect, and adds
 * half the length of each interval to `*radius`. */
static int holding(Rng *rng, double seed_deviation, int games_each, double *radius) {
    static const double TRUTH[MADE_ARMS] = {0, 30, -80, 150};
    double strength[MADE_NETS];
    int players[MADE_NETS], arms[MADE_NETS], count = 0, held = 0;
    EloGames games[MADE_NETS * (MADE_NETS - 1) / 2];
    ArmEffect effects[MADE_ARMS];
    SeedSpread spread;
    EloFit fit;
    for (int i = 0; i < MADE_NETS; i++) {
        players[i] = i, arms[i] = i / MADE_SEEDS;
        strength[i] = TRUTH[arms[i]] + seed_deviation * rng_normal(rng);
        for (int k = 0; k < i; k++) {
            EloGames *g = &games[count++];
            *g = (EloGames){.first = i, .second = k};
            for (int n = 0; n < games_each; n++)
                g->wins += rng_uniform(rng) < elo_expected(strength[i] - strength[k]);
            g->losses = games_each - g->wins;
        }
    }
    EXPECT_OK(elo_fit_new(
        &(EloSetup){.games = games, .game_count = count, .players = MADE_NETS, .prior_games = 0.5},
        &fit, err));
    EXPECT_OK(experiment_effects(&(RatedRuns){&fit, players, arms, MADE_NETS, MADE_ARMS}, effects,
                                 &spread, err));
    for (int a = 1; a < MADE_ARMS; a++) {
        held += effects[a].low <= TRUTH[a] && TRUTH[a] <= effects[a].high;
        *radius += (effects[a].high - effects[a].low) / 2;
    }
    elo_fit_clear(&fit);
    return held;
}

/* The cases have few and many games, and seeds that matter and that do not. If seeds do not matter,
 * intervals are too wide for two reasons. The estimated variance of seeds cannot be below 0, and
 * Student's t has few degrees of freedom. */
TEST(intervals_hold_the_truth_as_often_as_they_say) {
    static const struct {
        double seed_deviation;
        int games;
    } CASES[] = {{30, 4}, {30, 10}, {30, 100}, {100, 10}, {0, 10}};
    enum { EXPERIMENTS = 400 };
    Rng rng = rng_seeded(1);
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        double held = 0, radius = 0, all = EXPERIMENTS * (MADE_ARMS - 1);
        for (int i = 0; i < EXPERIMENTS; i++)
            held += holding(&rng, CASES[c].seed_deviation, CASES[c].games, &radius);
        print_message("seeds %g Elo, %d games a pair: %.1f%% of the intervals hold the truth, "
                      "+-%.0f Elo\n",
                      CASES[c].seed_deviation, CASES[c].games, 100 * held / all, radius / all);
        EXPECT_TRUE(held / all > 0.9);
        if (CASES[c].seed_deviation > 0) EXPECT_TRUE(held / all < 0.99);
    }
}

/* Returns the compute that the second arm needs. `elo` has the Elo of the first arm's nets at each
 * quarter of the compute, and then the Elo of the second arm's nets. */
static double cost_of(const double elo[8], bool *beyond) {
    Experiment experiment = {.settings = {.moments = 4, .seeds = 1}, .arm_count = 2};
    ExperimentRun runs[2] = {{.arm = 0}, {.arm = 1}};
    ArmEffect effects[2] = {{.seeds = 1}, {.seeds = 1, .mean = elo[7], .effect = elo[7]}};
    double copy[8];
    int group[8] = {0};
    memcpy(copy, elo, sizeof copy);
    for (int i = 0; i < 8; i++)
        runs[i / 4].at[i % 4].player = i;
    ExperimentResult result = {.runs = runs,
                               .run_count = 2,
                               .fit = {.players = 8, .elo = copy, .group = group},
                               .effects = effects};
    return experiment_compute_ratio(&experiment, &result, 1, beyond);
}

TEST(cost_is_read_from_the_curves) {
    bool beyond;
    /* The first arm reaches -100 at 3/4 of the compute, and -150 half-way between 1/2 and 3/4. */
    EXPECT_NEAR(4.0 / 3, cost_of((double[]){-300, -200, -100, 0, -400, -300, -200, -100}, &beyond),
                1e-9);
    EXPECT_FALSE(beyond);
    EXPECT_NEAR(2 / sqrt(1.5),
                cost_of((double[]){-300, -200, -100, 0, -400, -300, -200, -150}, &beyond), 1e-9);
    /* A better arm reaches 0 earlier. */
    EXPECT_NEAR(0.75, cost_of((double[]){-300, -200, -100, 0, -200, -100, 0, 100}, &beyond), 1e-9);
    EXPECT_FALSE(beyond);
    /* If the second arm is worse than the first ever was, or better from the start, the result is
     * only a bound. */
    EXPECT_NEAR(4, cost_of((double[]){-300, -200, -100, 0, -900, -800, -700, -600}, &beyond), 1e-9);
    EXPECT_TRUE(beyond);
    EXPECT_NEAR(0.25, cost_of((double[]){-300, -200, -100, 0, 100, 200, 300, 400}, &beyond), 1e-9);
    EXPECT_TRUE(beyond);
}

/* If experiment.games is 0, each net plays at least 100 games: with 27 nets 26 * 4, with 4 nets
 * 3 * 34. */
TEST(games_of_a_pair_are_fewer_where_nets_are_many) {
    static const struct {
        int arms, seeds, games, want;
    } CASES[] = {{9, 3, 0, 4},   {2, 2, 0, 34}, {4, 3, 0, 10},
                 {100, 3, 0, 4}, {1, 1, 0, 4},  {2, 2, 6, 6}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const Experiment experiment = {
            .settings = {.seeds = CASES[i].seeds, .games = CASES[i].games},
            .arm_count = CASES[i].arms};
        EXPECT_INT(CASES[i].want, experiment_games(&experiment));
    }
}

static const char GOOD[] = "experiment.seeds = 2\nselfplay.sizes = \"5:1\" # all\noptimiser.kind = "
                           "muon\nrun.seed = 7\n\n[full]\n[sgd]\noptimiser.kind = sgd # as once\n"
                           "run.samples_per_row = 8\n";

TEST(arms_change_what_holds_for_all) {
    Scratch scratch = scratch_new();
    Experiment experiment;
    EXPECT_OK(
        experiment_load(scratch_file(&scratch, "e", GOOD, sizeof GOOD - 1).text, &experiment, err));
    EXPECT_INT(2, experiment.arm_count);
    EXPECT_INT(2, experiment.settings.seeds);
    EXPECT_TEXT("full", experiment.arms[0].name);
    EXPECT_TEXT("", experiment.arms[0].text);
    EXPECT_TEXT("optimiser.kind = sgd, run.samples_per_row = 8", experiment.arms[1].text);
    EXPECT_TRUE(experiment.arms[0].config.training.optimiser.kind !=
                experiment.arms[1].config.training.optimiser.kind);
    EXPECT_NEAR(16, experiment.arms[0].config.run.samples_per_row, 0);
    EXPECT_NEAR(8, experiment.arms[1].config.run.samples_per_row, 0);
    EXPECT_INT(7, experiment.arms[1].config.run.seed);
    EXPECT_TEXT("5:1", experiment.arms[1].config.selfplay.sizes);
    experiment_clear(&experiment);
    scratch_remove(&scratch);
}

TEST(files_that_cannot_be_run_are_refused) {
    static const struct {
        const char *text, *part;
        Status status;
    } BAD[] = {{"run.seed = 1\n", "names no arm", ERR_SYNTAX},
               {"[a]\nrun.sede = 1\n", "e:2", ERR_ARGUMENT},
               {"[a]\nexperiment.seeds = 1\n", "e:2", ERR_ARGUMENT},
               {"experiment.games = 3\n[a]\n", "even", ERR_ARGUMENT},
               {"experiment.compute = lots\n[a]\n", "e:1", ERR_SYNTAX},
               {"[.a]\n", "dot", ERR_SYNTAX}};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        Scratch scratch = scratch_new();
        Experiment experiment;
        Error error = {0};
        Path path = scratch_file(&scratch, "e", BAD[i].text, strlen(BAD[i].text));
        EXPECT_STATUS(BAD[i].status, experiment_load(path.text, &experiment, &error));
        EXPECT_CONTAINS(error.message, BAD[i].part);
        EXPECT_TRUE(!experiment.arms);
        scratch_remove(&scratch);
    }
}

TEST(curves_in_one_picture) {
    const ChartPoint points[] = {{1, -10}, {2, HUGE_VAL}, {3, 30}};
    const double bars[] = {5, HUGE_VAL, 8};
    const ChartSeries series[] = {{"a <b>", points, bars, 3, 0, false},
                                  {NULL, points, NULL, 3, 1, true}};
    StrBuf text = {0};
    chart_series_svg(&text, &(ChartWords){"title", "x", "y"}, series, 2);
    EXPECT_CONTAINS(strbuf_text(&text), "a &lt;b&gt;");
    EXPECT_CONTAINS(strbuf_text(&text), chart_series_color(1));
    EXPECT_TRUE(!strstr(strbuf_text(&text), "inf") && !strstr(strbuf_text(&text), "nan"));
    EXPECT_CONTAINS(strbuf_text(&text), "</svg>");
    strbuf_reset(&text);
    chart_series_svg(&text, &(ChartWords){"title", "x", "y"}, series, 0);
    EXPECT_CONTAINS(strbuf_text(&text), "no points yet");
    strbuf_clear(&text);
}

TEST_MAIN(RUN(seeds_and_games_both_widen_the_interval),
          RUN(games_that_explain_all_leave_nothing_to_seeds), RUN(one_seed_says_nothing_of_seeds),
          RUN(every_number_has_the_error_of_a_difference_to_the_first_arm),
          RUN(intervals_hold_the_truth_as_often_as_they_say), RUN(cost_is_read_from_the_curves),
          RUN(games_of_a_pair_are_fewer_where_nets_are_many), RUN(arms_change_what_holds_for_all),
          RUN(files_that_cannot_be_run_are_refused), RUN(curves_in_one_picture))
