/* Which move is played after a search, by weights and temperature. */
#include "search/result/choose.h"
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
    search_preset_begin(SEARCH_PRESET_PLAY, &settings); /* 0.1, early 0.5, halflife 19 */
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

TEST_MAIN(RUN(temperature_falls_with_turns), RUN(temperature_0_takes_the_best_move),
          RUN(moves_are_drawn_by_powers_of_the_weights), RUN(an_empty_report_gives_the_pass))
