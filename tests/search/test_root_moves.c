/* Which moves are searched at the root (symmetric, avoided and useless moves, hints), and the
 * shorter searches after passes. */
#include "made_up.h"
#include "search/core/search_private.h"
#include "search/methods/hint.h"

/* Gives all legal moves of the root the same prior. Writes the policy, without the moves that are
 * not to be searched, and returns how many moves are left. */
static int moves_left(Search *search, float policy[MOVES_MAX]) {
    const Board *board = &search->root.board;
    int count = 0, area = board->width * board->height;
    for (int i = 0; i <= area; i++)
        search->raw_policy[i] =
            position_is_legal(&search->root, move_at_index(i, board->width, board->height)) ? 0.01f
                                                                                            : -1;
    search_root_policy(search, policy);
    for (int i = 0; i <= area; i++)
        count += policy[i] >= 0;
    return count;
}

static int left_of(const SearchSettings *settings, const char *drawing, int size,
                   const SearchAvoid *avoid) {
    float policy[MOVES_MAX];
    Search *search = search_of(settings, 1, position_made(drawing, size, COLOR_BLACK, 0.5f));
    if (avoid) search_set_avoid(search, avoid);
    int count = moves_left(search, policy);
    search_free(search);
    return count;
}

static const char *const EMPTY_5 = ".....\n.....\n.....\n.....\n.....";

TEST(of_symmetric_moves_one_is_left) {
    SearchSettings settings = play_settings();
    EXPECT_INT(26, left_of(&settings, EMPTY_5, 5, NULL));
    settings.root_symmetry_pruning = true;
    EXPECT_INT(7, left_of(&settings, EMPTY_5, 5, NULL)); /* 3 + 2 + 1 points and the pass */
    /* The first board is symmetric at a diagonal, the second at an axis, and the third under half a
     * rotation. The fourth and the fifth board have no symmetry. */
    EXPECT_INT(15, left_of(&settings, "X....\n.....\n.....\n.....\n.....", 5, NULL));
    EXPECT_INT(15, left_of(&settings, "..X..\n.....\n.....\n.....\n.....", 5, NULL));
    EXPECT_INT(13, left_of(&settings, ".X...\n.....\n.....\n.....\n...X.", 5, NULL));
    EXPECT_INT(25, left_of(&settings, ".X...\n.....\n.....\n.....\n.....", 5, NULL));
    EXPECT_INT(24, left_of(&settings, ".X...\n.....\n.....\n.....\n...O.", 5, NULL));
    SearchAvoid avoid = {0};
    avoid.until[COLOR_BLACK][0] = 1; /* an avoided corner leaves only the symmetry to a diagonal */
    EXPECT_INT(15, left_of(&settings, EMPTY_5, 5, &avoid));
}

TEST(of_symmetric_moves_the_top_right_is_left) {
    SearchSettings settings = play_settings();
    float policy[MOVES_MAX];
    settings.root_symmetry_pruning = true;
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    EXPECT_INT(4, moves_left(search, policy));
    EXPECT_TRUE(policy[2] >= 0 && policy[4] >= 0 && policy[5] >= 0 && policy[9] >= 0);
    search_free(search);
}

TEST(marks_of_the_encore_break_symmetry) {
    SearchSettings settings = play_settings();
    float policy[MOVES_MAX];
    settings.root_symmetry_pruning = true;
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    search->root.recapture_blocked[point_at(0, 0)] = 1;
    EXPECT_INT(6 + 1, moves_left(search, policy));
    search->root.recapture_blocked[point_at(0, 0)] = 0;
    search->root.second_encore_start[point_at(0, 0)] = COLOR_WHITE;
    EXPECT_INT(6 + 1, moves_left(search, policy));
    search_free(search);
}

/* In whole searches, symmetric moves have no visits. A kept tree loses the visits of moves that are
 * removed at the new root. */
TEST(searches_leave_symmetric_moves_out) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, POINT_PASS);
    settings.root_symmetry_pruning = true;
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    run_visits(search, &evaluator.base, 300);
    Report *report = report_of_search(search);
    EXPECT_INT(4, report->move_count);
    EXPECT_OK(search_play(search, point_at(1, 1), true, err));
    int64_t kept = search_root_visits(search);
    EXPECT_TRUE(kept > 20);
    search_begin(search, &(SearchLimits){.visits = 1000});
    EXPECT_TRUE(search_root_visits(search) < kept);
    run_visits(search, &evaluator.base, 400);
    free(report);
    report = report_of_search(search);
    EXPECT_INT(3, report->move_count); /* a corner, a side, the pass */
    EXPECT_INT(400, report->visits);
    int64_t sum = 1;
    for (int i = 0; i < 3; i++)
        sum += report->moves[i].visits;
    EXPECT_INT(400, sum);
    free(report);
    search_free(search);
}

/* Black's chain in the corner is alive. After four passes of White, Black's moves into its own eyes
 * are removed. */
TEST(useless_moves_are_left_out_after_four_passes) {
    SearchSettings settings = play_settings();
    float policy[MOVES_MAX];
    settings.prune_useless_moves = true;
    Position position = position_made(".X.X.\nXXXX.\n.....\n.....\n.....", 5, COLOR_WHITE, 0.5f);
    for (int i = 0; i < 4; i++) {
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        if (i < 3) EXPECT_OK(position_play(&position, point_at(i, 4), err));
    }
    Search *search = search_of(&settings, 1, position);
    EXPECT_INT(25 - 6 - 3 - 2 + 1, moves_left(search, policy)); /* without the two eyes */
    EXPECT_TRUE(policy[0] < 0 && policy[2] < 0 && policy[4] >= 0);
    settings.prune_useless_moves = false;
    EXPECT_OK(search_set_settings(search, &settings, err));
    EXPECT_INT(25 - 6 - 3 + 1, moves_left(search, policy));
    settings.prune_useless_moves = true;
    EXPECT_OK(search_set_settings(search, &settings, err));
    search->root.mover = COLOR_WHITE;                           /* Black has not passed */
    EXPECT_INT(25 - 6 - 3 + 1 - 2, moves_left(search, policy)); /* White's suicide is illegal */
    search_free(search);
}

static void apply_hint(const Search *search, float *policy) {
    METHOD_HINT.root_priors(search, method_set_find(&search->methods, &METHOD_HINT), policy);
}

/* The hint has the prior 0.4 and gets a fiftieth of the priors of the other moves, whose sum is
 * 0.6. */
TEST(a_hint_gets_prior) {
    SearchSettings settings = play_settings();
    Search *search = search_of(&settings, 1, position_empty(3, 0.5f));
    float policy[10] = {0.5f, 0.4f, 0.1f, -1, -1, -1, -1, -1, -1, -1};
    search_set_hint(search, move_at_index(1, 3, 3));
    apply_hint(search, policy);
    EXPECT_NEAR(0.49, policy[0], 1e-6);
    EXPECT_NEAR(0.412, policy[1], 1e-6);
    EXPECT_NEAR(0.098, policy[2], 1e-6);
    EXPECT_NEAR(-1, policy[3], 0);
    search_set_hint(search, move_at_index(3, 3, 3)); /* an illegal hint changes nothing */
    apply_hint(search, policy);
    EXPECT_NEAR(0.49, policy[0], 1e-6);
    search_free(search);
}

/* A bad move that is the hint is searched almost as much as the best move. Without the hint it has
 * few visits. */
TEST(a_hint_has_nearly_the_visits_of_the_best_move) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, point_at(1, 1));
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    Point corner = point_at(0, 0);
    search_set_hint(search, corner);
    run_visits(search, &evaluator.base, 200);
    Report *report = report_of_search(search);
    int64_t max = 0;
    for (int i = 0; i < report->move_count; i++)
        max = report->moves[i].visits > max ? report->moves[i].visits : max;
    EXPECT_TRUE((double)move_in(report, corner)->visits > 0.75 * (double)max - 2);
    free(report);
    search_set_hint(search, POINT_NONE);
    run_visits(search, &evaluator.base, 200);
    report = report_of_search(search);
    EXPECT_TRUE(move_in(report, corner)->visits < 20);
    free(report);
    search_free(search);
}

TEST(passes_shorten_the_search) {
    SearchSettings settings = play_settings();
    MadeUp evaluator = made_up(1, POINT_PASS);
    settings.factor_after_one_pass = 0.5;
    settings.factor_after_two_passes = 0.25;
    Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
    const int wanted[3] = {100, 50, 25};
    for (int passes = 0; passes < 3; passes++) {
        run_visits(search, &evaluator.base, 100);
        EXPECT_INT(wanted[passes], search_root_visits(search));
        EXPECT_NEAR(wanted[passes] / 100.0, search_pass_factor(search), 1e-6);
        EXPECT_OK(search_play(search, point_at(passes, 0), false, err));
        EXPECT_NEAR(1, search_pass_factor(search), 0);
        EXPECT_OK(search_play(search, POINT_PASS, false, err));
    }
    search_begin(search, &(SearchLimits){.visits = 1});
    EXPECT_INT(1, search->limits.visits);
    EXPECT_INT(0, search->limits.playouts);
    search_free(search);
}

/* In a Gumbel search, the candidates, the target and the choice contain no move that is avoided
 * (kinds 0 and 1) or removed by symmetry (kind 2). */
TEST(gumbel_search_considers_only_allowed_moves) {
    SearchSettings settings = play_settings();
    settings.gumbel.on = true;
    settings.gumbel.min_visits = 0;
    settings.gumbel.scale = 1;
    settings.gumbel.considered = 25;
    for (int kind = 0; kind < 3; kind++) {
        settings.root_symmetry_pruning = kind == 2;
        MadeUp evaluator = made_up(1, point_at(1, 1));
        SearchAvoid avoid = {0};
        avoid.until[COLOR_BLACK][6] = 1; /* the good point */
        for (int i = 7; kind == 1 && i < 26; i++)
            avoid.until[COLOR_BLACK][i] = 1;
        Search *search = search_of(&settings, 1, position_empty(5, 0.5f));
        if (kind < 2) search_set_avoid(search, &avoid);
        run_visits(search, &evaluator.base, 150);
        Report *report = report_of_search(search);
        const int wanted[3] = {25, 6, 7};
        EXPECT_INT(150, report->visits);
        EXPECT_INT(wanted[kind], report->move_count);
        double sum = 0;
        int moves = 0;
        for (int i = 0; i < 26; i++) {
            sum += (double)report->improved[i];
            moves += report->improved[i] > 0;
            if (kind < 2 && avoid.until[COLOR_BLACK][i]) EXPECT_TRUE(report->improved[i] == 0);
        }
        EXPECT_INT(wanted[kind], moves);
        EXPECT_NEAR(1, sum, 1e-5);
        if (kind < 2) EXPECT_TRUE(report->choice != point_at(1, 1));
        free(report);
        search_free(search);
    }
}

TEST_MAIN(RUN(of_symmetric_moves_one_is_left), RUN(of_symmetric_moves_the_top_right_is_left),
          RUN(marks_of_the_encore_break_symmetry), RUN(searches_leave_symmetric_moves_out),
          RUN(useless_moves_are_left_out_after_four_passes), RUN(a_hint_gets_prior),
          RUN(a_hint_has_nearly_the_visits_of_the_best_move), RUN(passes_shorten_the_search),
          RUN(gumbel_search_considers_only_allowed_moves))
