/* Which move is played after a search, by weights and temperature. */
#include "search/result/choose.h"

#include <math.h>

#include "search/tree/search_presets.h"
#include "test.h"

static Report *report_of(const float *weights, const float *plain, int count) {
    Report *report = calloc(1, sizeof *report);
    report->move_count = count;
    for (int i = 0; i < count; i++)
        report->moves[i] = (MoveReport){
            .point = point_at(i, 0), .visits = 1, .weight = weights[i], .plain_weight = plain[i]};
    return report;
}

TEST(temperature_falls_with_turns) {
    SearchSettings settings;
    /* The temperature falls from 0.5 to 0.1 with a halflife of 19 turns (on 19x19). */
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    EXPECT_NEAR(0.5, choose_temperature(&settings, 0, 361), 1e-6);
    EXPECT_NEAR(0.3, choose_temperature(&settings, 19, 361), 1e-6);
    EXPECT_NEAR(0.2, choose_temperature(&settings, 18, 81), 1e-6);
    search_preset_begin(SEARCH_PRESET_SELFPLAY, &settings);
    EXPECT_NEAR(0.15 + 0.6 * 0.25, choose_temperature(&settings, 14, 49), 1e-6);
}

TEST(temperature_0_takes_the_best_move) {
    const float weights[3] = {1, 7, 5}, plain[3] = {1, 4, 9};
    Report *report = report_of(weights, plain, 3);
    Rng rng = rng_seeded(1);
    for (int i = 0; i < 50; i++) {
        EXPECT_INT(point_at(1, 0), choose_move(report, 0, false, &rng));
        EXPECT_INT(point_at(2, 0), choose_move(report, 0, true, &rng));
    }
    free(report);
}

/* At T = 1/2 the probabilities are proportional to the squares of the weights, 1 : 4 : 9, and at
 * T = 1 to the weights. */
TEST(moves_are_drawn_by_powers_of_the_weights) {
    enum { DRAWS = 14000 };
    const float weights[4] = {1, 2, 3, 0};
    Report *report = report_of(weights, weights, 4);
    Rng rng = rng_seeded(5);
    int counts[4] = {0};
    for (int i = 0; i < DRAWS; i++)
        counts[point_x(choose_move(report, 0.5, true, &rng))]++;
    EXPECT_NEAR(DRAWS / 14, counts[0], 130);
    EXPECT_NEAR(DRAWS * 4 / 14, counts[1], 250);
    EXPECT_INT(0, counts[3]);
    memset(counts, 0, sizeof counts);
    for (int i = 0; i < DRAWS; i++)
        counts[point_x(choose_move(report, 1, false, &rng))]++;
    EXPECT_NEAR(DRAWS / 6, counts[0], 200);
    free(report);
}

TEST(an_empty_report_gives_the_pass) {
    const float none[2] = {0, 0};
    Report *report = report_of(none, none, 0);
    Rng rng = rng_seeded(1);
    EXPECT_INT(POINT_PASS, choose_move(report, 1, false, &rng));
    report->move_count = 2; /* moves without weight */
    report->moves[0].point = point_at(3, 3);
    EXPECT_INT(point_at(3, 3), choose_move(report, 1, false, &rng));
    free(report);
}

/* A report on a 2x2 board. Its policy is 0.1 for A2, 0.5 for B2, nothing for A1, 0.3 for B1 and 0.1
 * for the pass, times `scale`. */
static Report *policy_report(float scale) {
    Report *report = calloc(1, sizeof *report);
    const float policy[5] = {0.1f, 0.5f, -1, 0.3f, 0.1f};
    report->width = report->height = 2;
    for (int i = 0; i < 5; i++)
        report->open_policy[i] = policy[i] < 0 ? policy[i] : scale * policy[i];
    return report;
}

/* choose_by_beta() draws a number r with the distribution Beta(1, b). So r is at most x with
 * probability 1 - (1 - x)^b. The probabilities of the moves are added up, the largest first. After
 * the moves B2, B1, A2 and the pass, the sum is 0.5, 0.8, 0.9 and 1. The first move at which the
 * sum is above r is chosen. */
static void expect_beta(float scale, int turn, double beta) {
    enum { DRAWS = 20000 };
    const double ends[5] = {0, 0.5, 0.8, 0.9, 1};
    const int order[4] = {1, 3, 0, 4};
    Report *report = policy_report(scale);
    Rng rng = rng_seeded(11);
    int counts[5] = {0};
    for (int i = 0; i < DRAWS; i++)
        counts[move_index(choose_by_beta(report, turn, 20, &rng), 2, 2)]++;
    for (int i = 0; i < 4; i++) {
        double wanted = pow(1 - ends[i], beta) - pow(1 - ends[i + 1], beta);
        EXPECT_NEAR(wanted, (double)counts[order[i]] / DRAWS, 0.012);
    }
    EXPECT_INT(0, counts[2]);
    free(report);
}

TEST(the_beta_law_is_the_policy_at_first) {
    expect_beta(1, 0, 1);
    expect_beta(1, 20, 1);
}

TEST(the_beta_law_comes_closer_to_the_best_move) {
    expect_beta(1, 24, 3);    /* b = 1 + sqrt(24 - 20) */
    expect_beta(0.5f, 36, 5); /* the probabilities need not have the sum 1 */
}

TEST(the_beta_law_is_a_setting_of_players) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    EXPECT_INT(CHOICE_TEMPERATURE, settings.choice_law);
    settings.choice_law = CHOICE_POLICY_BETA;
    settings.choice_beta_turn = 0;
    settings.temperature = settings.temperature_early = 0;
    Report *report = policy_report(1);
    report->move_count = 1; /* a search that visited A1 only */
    report->moves[0] = (MoveReport){.point = point_at(0, 1), .visits = 9, .weight = 9};
    Rng rng = rng_seeded(2);
    int best = 0;
    for (int i = 0; i < 1000; i++) {
        Point point = choose_for_game(&settings, report, 900, &rng); /* Beta(1, 31) */
        EXPECT_TRUE(point != point_at(0, 1));
        best += point == point_at(1, 0);
    }
    EXPECT_INT(1000, best); /* the probability of another one is 0.5^31 */
    settings.choice_law = CHOICE_TEMPERATURE;
    EXPECT_INT(point_at(0, 1), choose_for_game(&settings, report, 900, &rng));
    free(report);
}

TEST(the_beta_law_without_a_policy_passes) {
    Report *report = policy_report(0);
    Rng rng = rng_seeded(3);
    EXPECT_INT(POINT_PASS, choose_by_beta(report, 5, 20, &rng));
    free(report);
}

TEST_MAIN(RUN(the_beta_law_is_the_policy_at_first), RUN(the_beta_law_comes_closer_to_the_best_move),
          RUN(the_beta_law_is_a_setting_of_players), RUN(the_beta_law_without_a_policy_passes),
          RUN(temperature_falls_with_turns), RUN(temperature_0_takes_the_best_move),
          RUN(moves_are_drawn_by_powers_of_the_weights), RUN(an_empty_report_gives_the_pass))
