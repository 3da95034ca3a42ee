/* Games that end because every point is pass-alive: when they end, and what their score is. */
#include "go/drawing.h"
#include "go/position.h"
#include "test.h"

enum { WIDTH = 7, HEIGHT = 6 };

/* White has a group on the left and one on the right, and Black has one between them. Each group
 * has three eyes. `open` is what stands on F1, which touches groups of both colors. With a white
 * stone there, White has 24 points, of which 6 are eyes, and Black has 18, of which 3 are eyes. */
static Position three_groups(const Rules *rules, Color mover, char open) {
    char drawing[] = ". O X . X O ."
                     "O O X X X O O"
                     ". O X . X O ."
                     "O O X X X O O"
                     ". O X . X O ."
                     "O O X X X ? O";
    Board board;
    Position position;
    *strchr(drawing, '?') = open;
    EXPECT_OK(board_parse(drawing, WIDTH, HEIGHT, &board, err));
    EXPECT_OK(position_init_board(&position, &board, mover, rules, err));
    return position;
}

static const struct {
    ScoringRule scoring;
    TaxRule tax;
    bool button;
    Color mover;
    double white; /* without komi */
} CASES[] = {
    {SCORING_AREA, TAX_NONE, false, COLOR_BLACK, 6},
    {SCORING_AREA, TAX_SEKI, false, COLOR_BLACK, 6},
    {SCORING_AREA, TAX_ALL, false, COLOR_BLACK, 4}, /* two points for each group */
    {SCORING_AREA, TAX_NONE, true, COLOR_WHITE, 6.5},
    {SCORING_AREA, TAX_NONE, true, COLOR_BLACK, 5.5},
    {SCORING_TERRITORY, TAX_NONE, false, COLOR_BLACK, 3}, /* only the eyes */
    {SCORING_TERRITORY, TAX_SEKI, false, COLOR_BLACK, 3},
    {SCORING_TERRITORY, TAX_ALL, false, COLOR_BLACK, 1},
};

TEST(the_score_is_that_of_the_rules) {
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        Rules rules = {.scoring = CASES[i].scoring,
                       .tax = CASES[i].tax,
                       .button = CASES[i].button,
                       .komi = -4.5f};
        Position position = three_groups(&rules, CASES[i].mover, 'O');
        EXPECT_TRUE(position_end_if_all_passalive(&position));
        EXPECT_TRUE(position.over);
        EXPECT_FALSE(position.outcome.no_result);
        EXPECT_NEAR(CASES[i].white - 4.5, position.outcome.white_score, 0);
        EXPECT_INT(CASES[i].white > 4.5 ? COLOR_WHITE : COLOR_BLACK, position.outcome.winner);
        position_clear(&position);
    }
}

TEST(a_draw_has_no_winner) {
    for (int scoring = SCORING_AREA; scoring <= SCORING_TERRITORY; scoring++) {
        Rules rules = {.scoring = (ScoringRule)scoring, .komi = scoring == SCORING_AREA ? -6 : -3};
        Position position = three_groups(&rules, COLOR_BLACK, 'O');
        EXPECT_TRUE(position_end_if_all_passalive(&position));
        EXPECT_INT(COLOR_EMPTY, position.outcome.winner);
        position_clear(&position);
    }
}

/* If White plays on F1, the score is the same as if the stone had been there from the start. */
TEST(a_game_with_an_open_point_goes_on) {
    for (int scoring = SCORING_AREA; scoring <= SCORING_TERRITORY; scoring++) {
        Rules rules = {.scoring = (ScoringRule)scoring};
        Position position = three_groups(&rules, COLOR_WHITE, '.');
        EXPECT_FALSE(position_end_if_all_passalive(&position));
        EXPECT_FALSE(position.over);
        EXPECT_OK(position_play(&position, point_at(5, 5), err));
        EXPECT_FALSE(position.over); /* the rules alone do not end it */
        EXPECT_TRUE(position_end_if_all_passalive(&position));
        EXPECT_NEAR(scoring == SCORING_AREA ? 6 : 3, position.outcome.white_score, 0);
        position_clear(&position);
    }
}

/* A chain with one eye is not pass-alive, and no point of an empty board is. */
TEST(one_eye_is_not_enough) {
    Rules rules = rules_tromp_taylor();
    Position position;
    Board board = board_drawn("X X X X X"
                              "X X X X X"
                              "X X . X X"
                              "X X X X X"
                              "X X X X X");
    EXPECT_OK(position_init_board(&position, &board, COLOR_BLACK, &rules, err));
    EXPECT_FALSE(position_end_if_all_passalive(&position));
    position_clear(&position);
    EXPECT_OK(position_init(&position, 5, 5, &rules, err));
    EXPECT_FALSE(position_end_if_all_passalive(&position));
    position_clear(&position);
}

TEST_MAIN(RUN(the_score_is_that_of_the_rules), RUN(a_draw_has_no_winner),
          RUN(a_game_with_an_open_point_goes_on), RUN(one_eye_is_not_enough))
