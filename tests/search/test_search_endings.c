/* Ends of games inside a search, and boards that are small enough to be solved. */
#include "search/made_up.h"

static SearchSettings plain_settings(void) {
    SearchSettings settings = play_settings();
    settings.tree_memory_mb = 256;
    return settings;
}

/* An evaluator for which every game is even and all moves have the same prior. */
static MadeUp knows_nothing(void) {
    return made_up(1, POINT_PASS);
}

static Report *searched(const SearchSettings *settings, Position position, int64_t visits) {
    MadeUp evaluator = knows_nothing();
    Search *search = search_of(settings, 1, position);
    run_visits(search, &evaluator.base, visits);
    Report *report = report_of_search(search);
    EXPECT_INT(visits, report->visits);
    search_free(search);
    return report;
}

TEST(a_search_passes_when_that_wins) {
    SearchSettings settings = plain_settings();
    Position position = position_made("XX.\nXXX\n...", 3, COLOR_WHITE, 0.5f);
    EXPECT_OK(position_play(&position, POINT_PASS, err));
    Report *report = searched(&settings, position, 100);
    EXPECT_INT(POINT_PASS, report->moves[0].point);
    EXPECT_NEAR(1, report->moves[0].win_loss, 1e-6);
    EXPECT_NEAR(8.5, report->moves[0].score_mean, 1e-5);
    EXPECT_NEAR(8.5, report->moves[0].lead, 1e-5);
    EXPECT_NEAR(0, report->moves[0].score_stdev, 1e-3);
    EXPECT_TRUE(report->moves[0].visits > 50);
    free(report);
}

TEST(a_search_does_not_pass_when_that_loses) {
    SearchSettings settings = plain_settings();
    Position position = position_made("X..\n.O.\n...", 3, COLOR_WHITE, 0.5f);
    EXPECT_OK(position_play(&position, POINT_PASS,
                            err)); /* each side has one stone and no area: White leads by komi */
    Report *report = searched(&settings, position, 200);
    const MoveReport *pass = move_in(report, POINT_PASS);
    EXPECT_TRUE(report->moves[0].point != POINT_PASS);
    EXPECT_NEAR(-1, pass->win_loss, 1e-6);
    EXPECT_NEAR(-0.5, pass->score_mean, 1e-6);
    EXPECT_TRUE(pass->visits < 20);
    free(report);
}

/* With a komi of 0 the score is 0, a draw. A draw counts as the fraction `wins` of a win for White.
 * White's score counts as +1/2 with this probability, and otherwise as -1/2. */
TEST(draws_by_hand) {
    const float wins[3] = {0.5f, 1, 0.25f};
    const double squares[3] = {0.25, 0.25, 0.25};
    for (int i = 0; i < 3; i++) {
        SearchSettings settings = plain_settings();
        settings.draw_equivalent_wins_for_white = (double)wins[i];
        Position position = position_empty(2, 0);
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        Report *report = searched(&settings, position, 60);
        const MoveReport *pass = move_in(report, POINT_PASS);
        double mean = (double)wins[i] - 0.5;
        EXPECT_NEAR(2 * (double)wins[i] - 1, pass->win_loss, 1e-6);
        EXPECT_NEAR(mean, pass->score_mean, 1e-6);
        EXPECT_NEAR(sqrt(squares[i] - mean * mean), pass->score_stdev, 1e-3);
        free(report);
    }
}

/* On 2x2, Black has an area of 4, and wins by 3 points with a komi of 1. A whole score counts as
 * two scores: White's score is -2.5 with the probability draw_equivalent_wins_for_white, and
 * otherwise -3.5. */
TEST(whole_scores_are_spread) {
    SearchSettings settings = plain_settings();
    settings.draw_equivalent_wins_for_white = 0.75;
    Position position = position_made("X.\nX.", 2, COLOR_WHITE, 1);
    EXPECT_OK(position_play(&position, POINT_PASS, err));
    Report *report = searched(&settings, position, 60);
    const MoveReport *pass = move_in(report, POINT_PASS);
    double mean = 3 - 0.25, square = 12.25 + (6.25 - 12.25) * 0.75;
    EXPECT_NEAR(1, pass->win_loss, 1e-6);
    EXPECT_NEAR(mean, pass->score_mean, 1e-6);
    EXPECT_NEAR(sqrt(square - mean * mean), pass->score_stdev, 1e-3);
    free(report);
}

TEST(superko_is_kept_in_the_tree) {
    SearchSettings settings = plain_settings();
    Position position = position_made(".OX.\nOX.X\n.OX.\n....", 4, COLOR_WHITE, 0.5f);
    EXPECT_OK(position_play(&position, point_at(2, 1), err)); /* captures the ko stone */
    Report *report = searched(&settings, position, 400);
    EXPECT_TRUE(!move_in(report, point_at(1, 1)));
    EXPECT_NEAR(-1, report->raw_policy[1 * 4 + 1], 0);
    free(report);
}

/* 2x2 is worth 1 point to the first player under positional superko (Tromp and Farneback 2007,
 * table of solved boards). */
TEST(solves_2x2) {
    SearchSettings settings = plain_settings();
    Report *less = searched(&settings, position_empty(2, 0.5f), 4000);
    EXPECT_TRUE(less->win_loss > 0.5f);
    EXPECT_TRUE(less->moves[0].point != POINT_PASS);
    Report *more = searched(&settings, position_empty(2, 1.5f), 4000);
    EXPECT_TRUE(more->win_loss < -0.5f);
    free(less);
    free(more);
}

/* On 3x3, Black wins by 9 points with a first move in the center, and by 3 with one on a side. The
 * evaluator knows only the present area score. */
TEST(solves_3x3) {
    SearchSettings settings = plain_settings();
    const int64_t visits[2] = {20, 60000};
    float values[2];
    for (int i = 0; i < 2; i++) {
        MadeUp evaluator = knows_nothing();
        evaluator.by_area = true;
        Search *search = search_of(&settings, 1, position_empty(3, 3.5f));
        run_visits(search, &evaluator.base, visits[i]);
        Report *report = report_of_search(search);
        values[i] = report->moves[0].win_loss;
        if (i) {
            EXPECT_INT(point_at(1, 1), report->moves[0].point);
            EXPECT_TRUE(report->moves[0].visits > visits[i] / 2);
        }
        free(report);
        search_free(search);
    }
    EXPECT_TRUE(values[1] > 0.5f);
    EXPECT_TRUE(values[1] > values[0]);
}

/* If the game is over at the root, it is searched as if play went on. */
TEST(a_search_goes_on_after_the_end_of_the_game) {
    SearchSettings settings = plain_settings();
    Position position = position_empty(3, 0.5f);
    EXPECT_OK(position_play(&position, POINT_PASS, err));
    EXPECT_OK(position_play(&position, POINT_PASS, err));
    EXPECT_TRUE(position.over);
    Report *report = searched(&settings, position, 50);
    EXPECT_TRUE(report->move_count > 1);
    free(report);
}

/* search_collect() returns even if nearly every descent meets an end of the game. */
TEST(descents_that_end_the_game_do_not_block) {
    SearchSettings settings = plain_settings();
    settings.fpu.reduction = settings.fpu.root_reduction = 0;
    settings.c_puct = 0.001;
    settings.c_puct_log = 0;
    Position position = position_made("XX.\nXXX\n...", 3, COLOR_WHITE, 0.5f);
    EXPECT_OK(position_play(&position, POINT_PASS, err));
    MadeUp evaluator = knows_nothing();
    Search *search = search_of(&settings, 1, position);
    EvaluationRequest leaf;
    Evaluation *evaluation = calloc(1, sizeof *evaluation);
    search_begin(search, &(SearchLimits){0});
    int evaluated = 0;
    for (int i = 0; i < 40; i++) {
        int count = search_collect(search, &leaf, 1);
        evaluated += count;
        if (count) made_up_one(&evaluator, leaf.position, evaluation);
        search_receive(search, evaluation, count);
    }
    EXPECT_TRUE(evaluated < 40);
    EXPECT_TRUE(search_root_visits(search) > 1000);
    free(evaluation);
    search_free(search);
}

TEST_MAIN(RUN(a_search_passes_when_that_wins), RUN(a_search_does_not_pass_when_that_loses),
          RUN(draws_by_hand), RUN(whole_scores_are_spread), RUN(superko_is_kept_in_the_tree),
          RUN(solves_2x2), RUN(solves_3x3), RUN(a_search_goes_on_after_the_end_of_the_game),
          RUN(descents_that_end_the_game_do_not_block))
