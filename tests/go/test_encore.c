/* Encore phases by hand: games that start in one, and moves that lift a ko block. */
#include "go/drawing.h"
#include "go/position.h"
#include "test.h"

/* Black can take a ko by C4, and White could then retake it by B4. */
static Position ko_position(int phase) {
    Rules rules = {.ko = KO_SIMPLE, .scoring = SCORING_TERRITORY};
    Position position;
    Board board = board_drawn(". X O . ."
                              "X O . O ."
                              ". X O . ."
                              ". . . . ."
                              ". . . . .");
    EXPECT_OK(position_init_board(&position, &board, COLOR_BLACK, &rules, err));
    EXPECT_OK(position_restart_phase(&position, COLOR_BLACK, phase, err));
    return position;
}

TEST(a_retaking_move_lifts_the_block_and_is_recorded) {
    Position position = ko_position(1), copy = {0};
    Point moves[] = {point_at(2, 1), point_at(1, 1), point_at(4, 4), point_at(1, 1)};
    for (int i = 0; i < 4; i++) {
        EXPECT_INT(i == 1, position_is_pass_for_ko(&position, moves[i]));
        EXPECT_OK(position_play(&position, moves[i], err));
    }
    EXPECT_OK(position_copy(&copy, &position, err));
    for (int i = 0; i < 4; i++)
        EXPECT_INT(i == 1, position_passed_for_ko(&copy, i));
    EXPECT_INT(COLOR_WHITE, position.board.color[point_at(1, 1)]);
    EXPECT_INT(COLOR_EMPTY, position.board.color[point_at(2, 1)]);
    position_clear(&position);
    position_clear(&copy);
}

TEST(the_phase_of_the_start_stays) {
    for (int phase = 0; phase < 3; phase++) {
        Position position = ko_position(phase), copy = {0};
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        EXPECT_OK(position_play(&position, POINT_PASS, err));
        EXPECT_INT(phase < 2 ? phase + 1 : 2, position.encore_phase);
        EXPECT_INT(phase == 2, position.over);
        EXPECT_OK(position_copy(&copy, &position, err));
        EXPECT_INT(phase, position_start_phase(&copy));
        EXPECT_OK(position_restart(&position, COLOR_BLACK, err));
        EXPECT_INT(phase < 2 ? phase + 1 : 2, position_start_phase(&position));
        position_clear(&position);
        position_clear(&copy);
    }
}

TEST(no_simple_ko_is_carried_into_the_encore) {
    Position position = ko_position(0);
    EXPECT_OK(position_play(&position, point_at(2, 1), err));
    EXPECT_INT(point_at(1, 1), position.board.ko);
    EXPECT_OK(position_restart_phase(&position, COLOR_WHITE, 2, err));
    EXPECT_INT(POINT_NONE, position.board.ko);
    EXPECT_INT(POINT_NONE, position_start_board(&position)->ko);
    EXPECT_INT(COLOR_BLACK, position.second_encore_start[point_at(2, 1)]);
    position_clear(&position);
}

TEST_MAIN(RUN(a_retaking_move_lifts_the_block_and_is_recorded), RUN(the_phase_of_the_start_stays),
          RUN(no_simple_ko_is_carried_into_the_encore))
