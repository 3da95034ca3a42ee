/* Weaker play: moves are drawn by the net's policy and by the points that they lose. */
#include "search/result/level.h"

#include <math.h>

#include "search/made_up.h"
#include "search/tree/search_presets.h"

/* A report on 19x19, whose moves are D4, E4, ... in their order. */
typedef struct {
    float prior, lead;
} Move3;
static Report *report_of(const Move3 *moves, int count) {
    Report *report = calloc(1, sizeof *report);
    report->width = report->height = 19;
    report->raw_score_stdev = 100; /* more than in the opening */
    report->move_count = count;
    for (int i = 0; i < count; i++)
        report->moves[i] = (MoveReport){.point = point_at(3 + i, 3),
                                        .visits = 1,
                                        .prior = moves[i].prior,
                                        .lead = moves[i].lead};
    return report;
}

static SearchSettings settings_of(double loss_scale, double loss_max, double temperature) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    settings.level.loss_scale = loss_scale;
    settings.level.loss_max = loss_max;
    settings.level.temperature = temperature;
    return settings;
}

enum { DRAWS = 20000 };
/* Writes how often each of the moves was drawn. */
static void count_draws(const SearchSettings *settings, const Report *report, double *fractions) {
    Rng rng = rng_seeded(3);
    memset(fractions, 0, (size_t)report->move_count * sizeof *fractions);
    for (int i = 0; i < DRAWS; i++) {
        Point point = level_choose(settings, report, &rng);
        for (int k = 0; k < report->move_count; k++)
            fractions[k] += report->moves[k].point == point ? 1.0 / DRAWS : 0;
    }
}

static const Move3 THREE[3] = {{0.6f, 2}, {0.3f, 1}, {0.1f, -2}};

TEST(moves_are_drawn_by_policy_and_loss) {
    Report *report = report_of(THREE, 3);
    SearchSettings settings = settings_of(2, 100, 0.5);
    double fractions[3], weights[3] = {0.36, 0.09 * exp(-0.5), 0.01 * exp(-2)};
    double sum = weights[0] + weights[1] + weights[2];
    count_draws(&settings, report, fractions);
    for (int i = 0; i < 3; i++)
        EXPECT_NEAR(weights[i] / sum, fractions[i], 0.012);
    free(report);
}

TEST(moves_that_lose_too_much_are_not_drawn) {
    Report *report = report_of(THREE, 3);
    SearchSettings settings = settings_of(1000, 3, 100);
    double fractions[3];
    count_draws(&settings, report, fractions);
    EXPECT_NEAR(0.5, fractions[0], 0.012);
    EXPECT_NEAR(0.5, fractions[1], 0.012);
    EXPECT_TRUE(fractions[2] == 0);
    free(report);
}

/* Losses count more where the net expects less spread of the score, and on smaller boards. */
TEST(losses_shrink_with_the_spread_of_the_score_and_with_the_board) {
    static const struct {
        int side;
        float stdev;
        double opening, factor;
    } CASES[] = {{19, 5, 10, 0.5},       {19, 0.1f, 10, 0.15},  {19, 20, 10, 1},
                 {19, 0, 10, 1},         {9, 20, 10, 9 / 19.0}, {19, 12.35f, 0, 0.5},
                 {9, 5.85f, 0, 4.5 / 19}};
    const Move3 two[2] = {{0.5f, 2}, {0.5f, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Report *report = report_of(two, 2);
        SearchSettings settings = settings_of(2, 100, 1);
        double fractions[2], weight = exp(-1 / CASES[i].factor);
        report->width = report->height = CASES[i].side;
        report->raw_score_stdev = CASES[i].stdev;
        settings.level.opening_stdev = CASES[i].opening;
        count_draws(&settings, report, fractions);
        EXPECT_NEAR(weight / (1 + weight), fractions[1], 0.012);
        free(report);
    }
}

/* A pass, a move without visits and a move without prior are not drawn. */
TEST(a_pass_is_played_only_as_the_best_move) {
    const Move3 four[4] = {{0.3f, 0}, {0.3f, 5}, {0.3f, 5}, {0, 5}};
    Report *report = report_of(four, 4);
    SearchSettings settings = settings_of(100, 100, 1);
    double fractions[4];
    report->moves[1].point = POINT_PASS;
    report->moves[2].visits = 0;
    count_draws(&settings, report, fractions);
    EXPECT_NEAR(1, fractions[0], 1e-9);
    report->moves[0].point = POINT_PASS;
    count_draws(&settings, report, fractions);
    EXPECT_NEAR(1, fractions[0], 1e-9);
    report->gumbel = true;
    report->choice = POINT_PASS;
    report->moves[0].point = point_at(0, 0);
    count_draws(&settings, report, fractions);
    EXPECT_NEAR(1, fractions[1], 1e-9);
    free(report);
}

/* If no move can be drawn, the best one is played. An empty report gives the pass. */
TEST(there_is_always_a_move) {
    const Move3 none[2] = {{0, 1}, {0, 0}};
    Report *report = report_of(none, 2);
    SearchSettings settings = settings_of(1, 1, 1);
    Rng rng = rng_seeded(1);
    EXPECT_INT(report->moves[0].point, level_choose(&settings, report, &rng));
    report->move_count = 0;
    EXPECT_INT(POINT_PASS, level_choose(&settings, report, &rng));
    free(report);
}

TEST(strength_sets_visits_and_settings) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    EXPECT_FALSE(level_is_set(&settings));
    EXPECT_INT(8, level_set(0, &settings));
    EXPECT_TRUE(level_is_set(&settings));
    EXPECT_NEAR(10, settings.level.loss_scale, 1e-9);
    EXPECT_NEAR(40, settings.level.loss_max, 1e-9);
    EXPECT_NEAR(6, settings.level.temperature, 1e-9);
    EXPECT_OK(search_settings_check(&settings, err));
    EXPECT_INT(400, level_set(1, &settings));
    EXPECT_NEAR(0.15, settings.level.loss_scale, 1e-9);
    EXPECT_NEAR(1, settings.level.loss_max, 1e-9);
    EXPECT_NEAR(0.3, settings.level.temperature, 1e-9);
    EXPECT_TRUE(settings.gumbel.on);
    EXPECT_OK(search_settings_check(&settings, err));
    EXPECT_INT(57, level_set(0.5, &settings)); /* 8 * sqrt(50) = 56.6 */
}

/* A search of the weakest level gives each of several moves a visit of its own. */
TEST(the_weakest_level_searches_several_moves) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    int visits = level_set(0, &settings);
    MadeUp evaluator = made_up(1, POINT_PASS);
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    run_visits(search, &evaluator.base, visits);
    Report *report = report_of_search(search);
    int searched = 0;
    for (int i = 0; i < report->move_count; i++)
        searched += report->moves[i].visits > 0;
    EXPECT_TRUE(searched >= 5);
    free(report);
    search_free(search);
}

TEST_MAIN(RUN(moves_are_drawn_by_policy_and_loss), RUN(moves_that_lose_too_much_are_not_drawn),
          RUN(losses_shrink_with_the_spread_of_the_score_and_with_the_board),
          RUN(a_pass_is_played_only_as_the_best_move), RUN(there_is_always_a_move),
          RUN(strength_sets_visits_and_settings), RUN(the_weakest_level_searches_several_moves))
