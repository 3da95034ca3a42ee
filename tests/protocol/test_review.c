/* The review of a game: losses, grades, key moves, and the SGF with the analysis in it. */
#include "base/memory.h"
#include "plain_evaluator.h"
#include "protocol/review/review.h"
#include "protocol/review/review_sgf.h"
#include "search/tree/search_presets.h"
#include "test.h"

/* An evaluator for which the lead is the number of the mover's stones minus that of the
 * opponent's. */
static Status count_stones(Evaluator *evaluator, const EvaluationRequest *requests, int count,
                           Evaluation *out, Error *err) {
    (void)evaluator, (void)err;
    for (int i = 0; i < count; i++) {
        const Position *position = requests[i].position;
        const Board *board = &position->board;
        bool legal[BOARD_POINTS_MAX];
        int area = board->width * board->height, moves = 1;
        float lead = 0;
        position_mark_legal(position, legal);
        for (int k = 0; k < area; k++) {
            Color color = (Color)board->color[move_at_index(k, board->width, board->height)];
            if (color != COLOR_EMPTY) lead += color == position->mover ? 1 : -1;
            moves += legal[k];
        }
        out[i] = (Evaluation){.width = (int16_t)board->width,
                              .height = (int16_t)board->height,
                              .win = 1 / (1 + expf(-lead / 4)),
                              .lead = lead,
                              .score_mean = lead,
                              .score_mean_sq = lead * lead + 1,
                              .var_time = -1,
                              .shortterm_winloss_error = -1,
                              .shortterm_score_error = -1};
        out[i].loss = 1 - out[i].win;
        for (int k = 0; k <= area; k++)
            out[i].policy[k] = k == area || legal[k] ? 1 / (float)moves : -1;
    }
    return OK;
}

static const EvaluatorClass STONES = {"stones", count_stones, plain_evaluator_free};

static Status make_evaluator(void *context, const EvaluatorSpec *spec, Evaluator **out,
                             Error *err) {
    (void)context, (void)spec;
    return plain_evaluator_new(&STONES, 8, out, err);
}

static Session *make_session(int side) {
    SessionSetup setup = {.make_evaluator = make_evaluator,
                          .visits = 500,
                          .width = side,
                          .height = side,
                          .seed = 1,
                          .rules = rules_tromp_taylor()};
    Session *session;
    search_preset_begin(SEARCH_PRESET_ANALYSIS, &setup.search);
    settings_defaults(TIME_FIELDS, &setup.time);
    EXPECT_OK(session_new(&setup, &session, err));
    return session;
}

static SgfGame parsed(const char *text) {
    SgfGame game;
    EXPECT_OK(sgf_game_parse(text, strlen(text), NULL, &game, err));
    return game;
}

/* White can take Black's three stones B2 to D2 with E2. White plays A5, and Black saves them. */
#define BLUNDER "(;SZ[5]KM[0]AW[bc][cc][dc][be][ce][de][ad]AB[bd][cd][dd]PL[W];W[aa];B[ed];W[ba])"

TEST(a_blunder_is_found_with_the_better_move) {
    SgfGame game = parsed(BLUNDER);
    Session *session = make_session(19); /* the review sets the size */
    Review review;
    EXPECT_OK(review_sweep(session, &game, NULL, &review, err));
    EXPECT_INT(4, review.turn_count);
    review_grade(&review, 0, 8);
    ReviewTurn *first = &review.turns[0];
    EXPECT_INT(COLOR_WHITE, first->mover);
    EXPECT_INT(point_at(0, 0), first->played);
    EXPECT_INT(point_at(4, 3), first->line[0]); /* E2, which takes three stones */
    EXPECT_TRUE(first->is_key);
    EXPECT_TRUE(first->grade >= GRADE_MISTAKE);
    EXPECT_TRUE(first->points_lost > 2);
    EXPECT_FALSE(review.turns[1].is_key); /* Black's answer is the best move */
    EXPECT_INT(point_at(4, 3), review.turns[1].line[0]);
    EXPECT_INT(GRADE_FINE, review.turns[1].grade);
    EXPECT_FALSE(review.turns[3].has_loss);
    EXPECT_INT(POINT_NONE, review.turns[3].played);

    StrBuf text = {0};
    review_add_key_moves(&review, &text);
    EXPECT_CONTAINS(strbuf_text(&text), "move 1, White A5: ");
    EXPECT_CONTAINS(strbuf_text(&text), "better E2");
    strbuf_reset(&text);
    for (int i = 0; i < review.turn_count; i++)
        review.turns[i].is_key = false;
    review_add_key_moves(&review, &text);
    EXPECT_TEXT("", strbuf_text(&text)); /* there are mistakes, but no key moves were requested */
    first->is_key = true;
    review_add_table(&review, &text);
    EXPECT_CONTAINS(strbuf_text(&text), "    1  W A5 ");
    EXPECT_CONTAINS(strbuf_text(&text), "    2  B E2 ");
    strbuf_reset(&text);
    review_add_graphs(&review, 80, &text);
    EXPECT_CONTAINS(strbuf_text(&text), "^");
    json_t *object = review_json(&review);
    EXPECT_INT(4, json_array_size(json_object_get(object, "turns")));
    EXPECT_INT(1, json_integer_value(json_array_get(json_object_get(object, "key_moves"), 0)));
    json_decref(object);
    strbuf_clear(&text);
    review_clear(&review);
    session_free(session);
    sgf_game_clear(&game);
}

TEST(a_color_that_moves_twice_and_an_illegal_move_are_reviewed) {
    SgfGame game = parsed("(;SZ[5]KM[0];B[aa];B[bb];W[cc];W[dd];B[aa];W[ee])");
    Session *session = make_session(5);
    Review review;
    EXPECT_OK(review_sweep(session, &game, NULL, &review, err));
    EXPECT_CONTAINS(review.warning, "move 5 cannot be played");
    EXPECT_TRUE(review.turns[4].known);
    EXPECT_FALSE(review.turns[5].known);
    review_grade(&review, 0, 8);
    EXPECT_FALSE(review.turns[4].has_loss);
    review_clear(&review);
    session_free(session);
    sgf_game_clear(&game);
}

static Status stop_after_two(void *context, int done, int total, Error *err) {
    (void)context, (void)err;
    EXPECT_INT(4, total);
    return done == 2 ? ERR_STOPPED : OK;
}

TEST(a_stopped_review_keeps_what_is_known) {
    SgfGame game = parsed(BLUNDER);
    Session *session = make_session(5);
    Review review;
    const ProgressWatch watch = {stop_after_two, NULL};
    EXPECT_STATUS(ERR_STOPPED, review_sweep(session, &game, &watch, &review, NULL));
    EXPECT_TRUE(review.turns[1].known);
    EXPECT_FALSE(review.turns[2].known);
    review_grade(&review, 0, 8);
    EXPECT_TRUE(review.turns[0].is_key);
    review_clear(&review);
    session_free(session);
    sgf_game_clear(&game);
}

/* Makes the review of a game in which Black and White move in turn. leads[i] is Black's lead after
 * i moves. All win rates are 50%. */
static Review made(const double *leads, int count) {
    Review review = {.width = 19, .height = 19, .turn_count = count};
    EXPECT_OK(mem_new((size_t)count, sizeof *review.turns, &review.turns, err));
    for (int i = 0; i < count; i++)
        review.turns[i] = (ReviewTurn){.known = true,
                                       .mover = i % 2 ? COLOR_WHITE : COLOR_BLACK,
                                       .played = i + 1 < count ? point_at(i, 0) : POINT_NONE,
                                       .black_winrate = 0.5,
                                       .black_lead = leads[i],
                                       .visits = 1,
                                       .line_length = 2,
                                       .line = {point_at(i, 5), point_at(i, 6)}};
    return review;
}

TEST(grades_follow_the_points_that_the_mover_lost) {
    /* Points that were lost by Black and White, in turn: 0, -1, 1.3, 5, 11, 0. What White loses
     * raises Black's lead. */
    const double leads[] = {0, 0, -1, -2.3, 2.7, -8.3, -8.3};
    Review review = made(leads, 7);
    review_grade(&review, 0, 0);
    EXPECT_NEAR(4, review.mistake_points, 1e-9);
    const ReviewGrade want[] = {GRADE_FINE,    GRADE_FINE,    GRADE_INACCURACY,
                                GRADE_MISTAKE, GRADE_BLUNDER, GRADE_FINE};
    for (int i = 0; i < 6; i++) {
        EXPECT_INT(want[i], review.turns[i].grade);
        EXPECT_FALSE(review.turns[i].is_key);
    }
    EXPECT_NEAR(5, review.turns[3].points_lost, 1e-9); /* White's, from -2.3 to 2.7 */
    ReviewPlayer black = review_player(&review, COLOR_BLACK);
    EXPECT_INT(3, black.moves);
    EXPECT_INT(1, black.grades[GRADE_BLUNDER]);
    EXPECT_NEAR((0 + 1.3 + 11) / 3, black.mean_loss, 1e-9);
    review_clear(&review);
}

TEST(the_win_rate_counts_too_and_the_best_move_never_loses) {
    const double leads[] = {0, 0, 0, -20};
    Review review = made(leads, 4);
    review.turns[1].black_winrate = 0.29; /* Black lost 21% */
    review.turns[2].black_winrate = 0.29;
    review.turns[3].black_winrate = 0.1;
    review.turns[2].line[0] = review.turns[2].played; /* it was the best move, so it has no loss */
    review_grade(&review, 0, 8);
    EXPECT_INT(GRADE_MISTAKE, review.turns[0].grade);
    EXPECT_TRUE(review.turns[0].is_key);
    EXPECT_INT(GRADE_FINE, review.turns[2].grade);
    EXPECT_FALSE(review.turns[2].is_key);
    EXPECT_INT(1, review_player(&review, COLOR_BLACK).best_moves);
    review_clear(&review);
}

TEST(key_moves_are_the_most_severe_mistakes) {
    const double leads[] = {0, -5, 2, -7, 9, 8, 8};
    /* Points lost by moves 1 to 6: 5, 7, 9, 16, 1, 0. */
    Review review = made(leads, 7);
    review_grade(&review, 4, 2);
    EXPECT_FALSE(review.turns[0].is_key);
    EXPECT_FALSE(review.turns[1].is_key);
    EXPECT_TRUE(review.turns[2].is_key);
    EXPECT_TRUE(review.turns[3].is_key);
    EXPECT_FALSE(review.turns[4].is_key);
    review_grade(&review, 4, 100);
    EXPECT_TRUE(review.turns[0].is_key);
    EXPECT_TRUE(review.turns[1].is_key);
    EXPECT_FALSE(review.turns[4].is_key); /* no mistake */
    review_grade(&review, 10, 100);
    EXPECT_FALSE(review.turns[0].is_key);
    EXPECT_TRUE(review.turns[3].is_key);
    review_clear(&review);
}

TEST(smaller_boards_have_smaller_mistakes) {
    EXPECT_NEAR(4, review_mistake_points(19, 19), 1e-9);
    EXPECT_NEAR(3.04, review_mistake_points(13, 13), 1e-9);
    EXPECT_NEAR(2.4, review_mistake_points(9, 9), 1e-9);
    EXPECT_NEAR(1.28, review_mistake_points(2, 2), 1e-9);
}

/* Writes a review whose key moves are moves 1 and 3 into game `number` of the collection `text`.
 * The result must be `want`. */
static void expect_sgf(const char *text, int number, const char *want) {
    const double leads[] = {0, -5, -5, -12};
    Review review = made(leads, 4);
    SgfGame game = parsed("(;SZ[19];B[aa];W[ba];B[ca])");
    StrBuf out = {0};
    review_grade(&review, 4, 8);
    for (int i = 0; i < 4; i++)
        review.turns[i].known = false; /* this leaves out values and comments */
    EXPECT_OK(
        review_sgf_write(&review, &game, "h", text, text ? strlen(text) : 0, number, &out, err));
    EXPECT_TEXT(want, strbuf_text(&out));
    strbuf_clear(&out);
    sgf_game_clear(&game);
    review_clear(&review);
}

#define FIRST "(;B[af]C[Better than A19: Black 50.0%, 0.0];W[ag])"
#define THIRD "(;B[cf]C[Better than C19: Black 50.0%, W+5.0];W[cg])"

TEST(variations_are_put_beside_the_key_moves) {
    expect_sgf("(;SZ[19];B[aa];W[ba];B[ca])", 1,
               "(;SZ[19](;B[aa];W[ba](;B[ca])" THIRD ")" FIRST ")\n");
    /* Variations of the text stay, and brackets within values do not matter. */
    expect_sgf("(;SZ[19]C[(;x\\])]\n(;B[aa];W[ba]\n( ;B[ca])(;B[qq]))(;B[dd]))", 1,
               "(;SZ[19]C[(;x\\])]\n(;B[aa];W[ba]\n( ;B[ca])" THIRD "(;B[qq]))" FIRST
               "(;B[dd]))\n");
    /* the second game of a collection */
    expect_sgf("(;SZ[19];B[tt])\n(;SZ[19];B[aa];W[ba];B[ca])(;)", 2,
               "(;SZ[19](;B[aa];W[ba](;B[ca])" THIRD ")" FIRST ")\n");
}

/* If the text is missing, is not SGF or has another game, the review is written into a new text. */
TEST(another_text_is_not_used) {
    const char *plain = "(;FF[4]GM[1]SZ[19]PB[]PW[]HA[0]KM[7.5]RU[koPOSITIONALscoreAREAtaxNONEsui1]"
                        "(;B[aa];W[ba](;B[ca])" THIRD ")" FIRST ")\n";
    expect_sgf(NULL, 1, plain);
    expect_sgf("not SGF", 1, plain);
    expect_sgf("(;SZ[19];B[aa];W[ba];B[cb])", 1, plain);
    expect_sgf("(;SZ[19];B[aa];W[ba])", 1, plain);
    expect_sgf("(;SZ[19];B[aa];W[ba];B[ca];W[dd])", 1, plain);
    expect_sgf("(;SZ[19];B[aa];W[ba];B[ca])", 2, plain);
}

TEST(comments_values_and_marks_are_added) {
    const double leads[] = {-0.004, -5, -4};
    Review review = made(leads, 3);
    SgfGame game = parsed("(;SZ[19];B[aa];W[ba])");
    StrBuf out = {0};
    const char *text = "(;SZ[19]CA[latin1]PB[\xe9];B[aa]C[mine\\]];TE[1]W[ba]V[7])";
    review_grade(&review, 4, 0);
    EXPECT_OK(review_sgf_write(&review, &game, "he]ad", text, strlen(text), 1, &out, err));
    EXPECT_TEXT(
        "(;SZ[19]V[0.0]SBKV[50.00]SBKS[0.00]C[he\\]ad\nBlack 50.0%, 0.0 (1 visits)\nBest: A14 A13]"
        "CA[UTF-8]PB[\u00e9]"
        ";B[aa]BM[1]V[-5.0]SBKV[50.00]SBKS[-5.00]C[mine\\]\n\n"
        "Mistake: lost 5.0 points, 0.0% of the win rate. Better: A14 A13\n"
        "Black 50.0%, W+5.0 (1 visits)\nBest: B14 B13]"
        ";TE[1]SBKV[50.00]SBKS[-4.00]C[Black 50.0%, W+4.0 (1 visits)\nBest: C14 "
        "C13]W[ba]V[-4.0])\n",
        strbuf_text(&out));
    strbuf_clear(&out);
    sgf_game_clear(&game);
    review_clear(&review);
}

TEST_MAIN(RUN(a_blunder_is_found_with_the_better_move),
          RUN(a_color_that_moves_twice_and_an_illegal_move_are_reviewed),
          RUN(a_stopped_review_keeps_what_is_known),
          RUN(grades_follow_the_points_that_the_mover_lost),
          RUN(the_win_rate_counts_too_and_the_best_move_never_loses),
          RUN(key_moves_are_the_most_severe_mistakes), RUN(smaller_boards_have_smaller_mistakes),
          RUN(variations_are_put_beside_the_key_moves), RUN(another_text_is_not_used),
          RUN(comments_values_and_marks_are_added))
