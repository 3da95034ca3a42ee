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

/* With search.level.draw, the policy has drawn the moves already, and only their losses count. */
TEST(drawn_moves_are_chosen_by_their_losses) {
    Report *report = report_of(THREE, 3);
    SearchSettings settings = settings_of(2, 100, 0.5);
    double fractions[3], sum = 1 + exp(-0.5) + exp(-2);
    settings.level.draw = settings.gumbel.on = true;
    count_draws(&settings, report, fractions);
    EXPECT_NEAR(1 / sum, fractions[0], 0.012);
    EXPECT_NEAR(exp(-0.5) / sum, fractions[1], 0.012);
    EXPECT_NEAR(exp(-2) / sum, fractions[2], 0.012);
    settings.gumbel.on = false; /* then nothing is drawn, and the policy counts */
    count_draws(&settings, report, fractions);
    EXPECT_TRUE(fractions[0] > 1.1 / sum);
    free(report);
}

/* If the moves were drawn, a pass that is better than all of them is played only if it loses less
 * than half a point, or if the net's policy wants it. */
TEST(drawn_moves_do_not_make_a_pass_good) {
    static const struct {
        float raw_lead, prior;
        bool passes;
    } CASES[] = {{5.4f, 0.01f, true}, {5.6f, 0.01f, false}, {5.6f, 0.29f, false}, {9, 0.3f, true}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        const Move3 two[2] = {{CASES[i].prior, 5}, {0.1f, 4}};
        Report *report = report_of(two, 2);
        SearchSettings settings = settings_of(100, 100, 1);
        double fractions[2];
        settings.level.draw = settings.gumbel.on = true;
        report->moves[0].point = POINT_PASS;
        report->raw_lead = CASES[i].raw_lead;
        count_draws(&settings, report, fractions);
        EXPECT_NEAR(CASES[i].passes ? 1 : 0, fractions[0], 1e-9);
        free(report);
    }
}

TEST(strength_sets_visits_and_settings) {
    SearchSettings settings;
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    EXPECT_FALSE(level_is_set(&settings));
    EXPECT_INT(16, level_set(0, &settings));
    EXPECT_TRUE(level_is_set(&settings));
    EXPECT_NEAR(1000, settings.level.loss_scale, 1e-9);
    EXPECT_NEAR(1000, settings.level.loss_max, 1e-9);
    EXPECT_NEAR(100, settings.level.temperature, 1e-9);
    EXPECT_OK(search_settings_check(&settings, err));
    EXPECT_INT(400, level_set(1, &settings));
    EXPECT_NEAR(0.15, settings.level.loss_scale, 1e-9);
    EXPECT_NEAR(1, settings.level.loss_max, 1e-9);
    EXPECT_NEAR(0.3, settings.level.temperature, 1e-9);
    EXPECT_TRUE(settings.gumbel.on && settings.level.draw);
    EXPECT_OK(search_settings_check(&settings, err));
    EXPECT_INT(80, level_set(0.5, &settings)); /* 16 * sqrt(25) */
}

/* Counts in how many of SEARCHES searches each move, by move_index(), was searched. The position
 * is that of 5x5 after the given moves. */
enum { SEARCHES = 400 };
static void count_searched(const SearchSettings *settings, int visits, const Point *moves,
                           int move_count, int *counts) {
    MadeUp evaluator = made_up(1, POINT_PASS);
    memset(counts, 0, MOVES_MAX * sizeof *counts);
    for (int seed = 0; seed < SEARCHES; seed++) {
        Position position = position_empty(5, 0.5f);
        for (int i = 0; i < move_count; i++)
            EXPECT_OK(position_play(&position, moves[i], err));
        Search *search = search_of(settings, (uint64_t)seed, position);
        run_visits(search, &evaluator.base, visits);
        Report *report = report_of_search(search);
        for (int i = 0; i < report->move_count; i++)
            counts[move_index(report->moves[i].point, 5, 5)] += report->moves[i].visits > 0;
        free(report);
        search_free(search);
    }
}

/* With 8 moves to consider there are 7 draws. A move of probability p is drawn with the
 * probability 1 - (1 - p)^7. At a high temperature p is 1/25 for each move of an empty 5x5. */
TEST(candidates_are_drawn_by_the_policy) {
    SearchSettings settings;
    int counts[MOVES_MAX];
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    (void)level_set(0, &settings);
    settings.gumbel.considered = 8;
    count_searched(&settings, 9, NULL, 0, counts);
    for (int i = 0; i < 25; i++)
        EXPECT_NEAR(1 - pow(1 - 1 / 25.0, 7), counts[i] / (double)SEARCHES, 0.09);
    EXPECT_INT(SEARCHES, counts[25]); /* the pass is always considered */
}

/* Black's eye at the corner is never drawn. All other empty points are. */
TEST(eyes_are_not_drawn) {
    SearchSettings settings;
    int counts[MOVES_MAX];
    const Point moves[4] = {point_at(1, 0), point_at(4, 4), point_at(0, 1), point_at(4, 3)};
    search_preset_begin(SEARCH_PRESET_PLAY, &settings);
    int visits = level_set(0, &settings);
    count_searched(&settings, visits + 1, moves, 4, counts);
    EXPECT_INT(0, counts[move_index(point_at(0, 0), 5, 5)]);
    for (int i = 0; i < 25; i++) {
        Point point = move_at_index(i, 5, 5);
        bool is_empty = point != point_at(0, 0);
        for (int k = 0; k < 4; k++)
            is_empty = is_empty && point != moves[k];
        EXPECT_TRUE(!is_empty || counts[i] > 0);
    }
}

/* Moves that an older search has visited were not drawn, so they cannot be played. */
TEST(weaker_play_keeps_no_tree) {
    for (int drawn = 0; drawn <= 1; drawn++) {
        MadeUp evaluator = made_up(1, POINT_PASS);
        SearchSettings settings;
        search_preset_begin(SEARCH_PRESET_PLAY, &settings);
        int visits = level_set(0.8, &settings);
        settings.level.draw = drawn;
        Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
        run_visits(search, &evaluator.base, visits);
        Report *report = report_of_search(search);
        EXPECT_OK(search_play(search, report->moves[0].point, true, err));
        Report *after = report_of_search(search);
        EXPECT_TRUE((after->visits > 0) == !drawn);
        free(after);
        free(report);
        search_free(search);
    }
}

TEST_MAIN(RUN(moves_are_drawn_by_policy_and_loss), RUN(moves_that_lose_too_much_are_not_drawn),
          RUN(losses_shrink_with_the_spread_of_the_score_and_with_the_board),
          RUN(a_pass_is_played_only_as_the_best_move), RUN(there_is_always_a_move),
          RUN(drawn_moves_are_chosen_by_their_losses), RUN(drawn_moves_do_not_make_a_pass_good),
          RUN(strength_sets_visits_and_settings), RUN(candidates_are_drawn_by_the_policy),
          RUN(eyes_are_not_drawn), RUN(weaker_play_keeps_no_tree))
