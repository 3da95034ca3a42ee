/* Experiments: what arms are worth by hand, their cost by their curves, and files that are refused.
 */
#include "base/scratch.h"
#include "base/statistic.h"
#include "run/chart.h"
#include "run/experiment_private.h"

/* Four players, independent but for what is common to all, which no difference sees. */
static EloFit fit_of(double elo[4], double covariance[16], double own, double common) {
    for (int i = 0; i < 16; i++)
        covariance[i] = common + (i % 5 ? 0 : own);
    return (EloFit){.players = 4, .elo = elo, .covariance = covariance, .anchor = -1};
}

static const int PLAYERS[] = {0, 1, 2, 3}, ARMS[] = {0, 0, 1, 1};

/* Squares within arms 200 + 200; the games explain 50 of variance each, 50 + 50 of the squares of
 * two; tau^2 = (400 - 100) / 2; variance of the effect 50 / 2 + 50 / 2 + 150 (1/2 + 1/2). */
TEST(seeds_and_games_both_widen_the_interval) {
    double elo[] = {10, -10, 60, 40}, covariance[16];
    EloFit fit = fit_of(elo, covariance, 50, 7);
    ArmWorth worth[2];
    SeedSpread spread;
    EXPECT_OK(experiment_worth(&fit, PLAYERS, ARMS, 4, 2, worth, &spread, err));
    EXPECT_INT(2, worth[0].seeds);
    EXPECT_INT(2, spread.freedom);
    EXPECT_NEAR(sqrt(150), spread.seed_deviation, 1e-9);
    EXPECT_NEAR(0, worth[0].mean, 1e-9);
    EXPECT_NEAR(50, worth[1].effect, 1e-9);
    EXPECT_NEAR(sqrt(50), worth[1].games_deviation, 1e-9);
    EXPECT_NEAR(sqrt(200), worth[1].deviation, 1e-9);
    EXPECT_NEAR(50 - 4.302653 * sqrt(200), worth[1].low, 1e-3);
    EXPECT_NEAR(50 + 4.302653 * sqrt(200), worth[1].high, 1e-3);
    EXPECT_NEAR(student_probability(50 / sqrt(200), 2), worth[1].superiority, 1e-9);
}

TEST(games_that_explain_all_leave_nothing_to_seeds) {
    double elo[] = {10, -10, 60, 40}, covariance[16];
    EloFit fit = fit_of(elo, covariance, 300, 0);
    ArmWorth worth[2];
    SeedSpread spread;
    EXPECT_OK(experiment_worth(&fit, PLAYERS, ARMS, 4, 2, worth, &spread, err));
    EXPECT_NEAR(0, spread.seed_deviation, 0);
    EXPECT_NEAR(worth[1].games_deviation, worth[1].deviation, 0);
}

TEST(one_seed_says_nothing_of_seeds) {
    double elo[] = {0, 100, 0, 0}, covariance[16];
    EloFit fit = fit_of(elo, covariance, 200, 0);
    const int arms[] = {0, 1}, others[] = {1, 1};
    ArmWorth worth[3];
    SeedSpread spread;
    EXPECT_OK(experiment_worth(&fit, PLAYERS, arms, 2, 3, worth, &spread, err));
    EXPECT_INT(0, spread.freedom);
    EXPECT_TRUE(spread.seed_deviation < 0);
    EXPECT_NEAR(100 - 1.959964 * 20, worth[1].low, 1e-3);
    EXPECT_INT(0, worth[2].seeds);
    EXPECT_STATUS(ERR_ARGUMENT,
                  experiment_worth(&fit, PLAYERS, others, 2, 2, worth, &spread, NULL));
}

/* The first arm's nets at a quarter, a half, ... of the compute, then the other arm's. */
static double cost_of(const double elo[8], bool *beyond) {
    Experiment experiment = {.settings = {.moments = 4, .seeds = 1}, .arm_count = 2};
    ExperimentRun runs[2] = {{.arm = 0}, {.arm = 1}};
    ArmWorth worth[2] = {{.seeds = 1}, {.seeds = 1, .mean = elo[7], .effect = elo[7]}};
    double copy[8];
    memcpy(copy, elo, sizeof copy);
    for (int i = 0; i < 8; i++)
        runs[i / 4].at[i % 4].player = i;
    ExperimentResult result = {
        .runs = runs, .run_count = 2, .fit = {.players = 8, .elo = copy}, .worth = worth};
    return experiment_cost(&experiment, &result, 1, beyond);
}

TEST(cost_is_read_from_the_curves) {
    bool beyond;
    /* The first comes to -100 with 3/4 of the compute, to -150 half-way to it from 1/2. */
    EXPECT_NEAR(4.0 / 3, cost_of((double[]){-300, -200, -100, 0, -400, -300, -200, -100}, &beyond),
                1e-9);
    EXPECT_FALSE(beyond);
    EXPECT_NEAR(2 / sqrt(1.5),
                cost_of((double[]){-300, -200, -100, 0, -400, -300, -200, -150}, &beyond), 1e-9);
    /* A better arm comes to 0 earlier. */
    EXPECT_NEAR(0.75, cost_of((double[]){-300, -200, -100, 0, -200, -100, 0, 100}, &beyond), 1e-9);
    EXPECT_FALSE(beyond);
    /* Worse than the first ever was, better from the start. */
    EXPECT_NEAR(4, cost_of((double[]){-300, -200, -100, 0, -900, -800, -700, -600}, &beyond), 1e-9);
    EXPECT_TRUE(beyond);
    EXPECT_NEAR(0.25, cost_of((double[]){-300, -200, -100, 0, 100, 200, 300, 400}, &beyond), 1e-9);
    EXPECT_TRUE(beyond);
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
    EXPECT_TRUE(experiment.arms[0].config.optimiser.kind !=
                experiment.arms[1].config.optimiser.kind);
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
               {"[.a]\n", "point", ERR_SYNTAX}};
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
          RUN(cost_is_read_from_the_curves), RUN(arms_change_what_holds_for_all),
          RUN(files_that_cannot_be_run_are_refused), RUN(curves_in_one_picture))
