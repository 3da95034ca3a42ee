/* Dead stones and the score of a game. */
#include "go/drawing.h"
#include "protocol/session/game_score.h"
#include "test.h"

/* Black owns the board; White's stone at E5 could live only by a mistake. */
static const char DRAWING[] = ". . X . O"
                              ". . X . ."
                              ". . X X X"
                              ". . . . ."
                              ". . . . .";

static Position drawn(const char *rules_name) {
    Board board = board_drawn(DRAWING);
    Position position;
    Rules rules;
    EXPECT_OK(rules_parse_with_komi(rules_name, &rules, err));
    EXPECT_OK(position_init_board(&position, &board, COLOR_BLACK, &rules, err));
    position.prevent_encore = true;
    return position;
}

static void pass_twice(Position *position) {
    EXPECT_OK(position_play(position, POINT_PASS, err));
    EXPECT_OK(position_play(position, POINT_PASS, err));
}

TEST(passes_end_the_game_and_rules_may_settle_it) {
    Position chinese = drawn("chinese"), tromp_taylor = drawn("tromp-taylor"),
             japanese = drawn("japanese");
    EXPECT_FALSE(game_is_passed_out(&chinese));
    EXPECT_FALSE(game_is_settled(&tromp_taylor));
    pass_twice(&chinese);
    pass_twice(&tromp_taylor);
    pass_twice(&japanese);
    EXPECT_TRUE(game_is_passed_out(&chinese));
    EXPECT_TRUE(game_is_passed_out(&tromp_taylor));
    EXPECT_TRUE(game_is_passed_out(&japanese)); /* although the encore would follow */
    EXPECT_FALSE(game_is_settled(&chinese));    /* dead stones may be left */
    EXPECT_TRUE(game_is_settled(&tromp_taylor));
    position_clear(&chinese);
    position_clear(&tromp_taylor);
    position_clear(&japanese);
}

TEST(stones_are_dead_by_ownership) {
    Position position = drawn("chinese");
    float ownership[BOARD_POINTS_MAX] = {0};
    bool dead[POINT_COUNT];
    game_dead_stones(&position, ownership, dead);
    EXPECT_FALSE(dead[point_at(4, 0)]); /* no ownership is known */
    for (int i = 0; i < 25; i++)
        ownership[i] = -0.9f;
    game_dead_stones(&position, ownership, dead);
    EXPECT_TRUE(dead[point_at(4, 0)]);
    EXPECT_FALSE(dead[point_at(2, 0)]);
    for (int i = 0; i < 25; i++)
        ownership[i] = 0.9f;
    game_dead_stones(&position, ownership, dead);
    EXPECT_FALSE(dead[point_at(4, 0)]);
    EXPECT_TRUE(dead[point_at(2, 0)]);
    EXPECT_TRUE(dead[point_at(4, 2)]); /* the whole chain */
    position_clear(&position);
}

TEST(a_settled_game_does_not_ask_for_ownership) {
    Position position = drawn("tromp-taylor");
    bool dead[POINT_COUNT];
    pass_twice(&position);
    game_dead_stones(&position, NULL, dead);
    EXPECT_FALSE(dead[point_at(4, 0)]); /* it was not captured */
    position_clear(&position);
}

TEST(dead_stones_are_counted_for_the_opponent) {
    Position position = drawn("chinese");
    bool dead[POINT_COUNT] = {false};
    uint8_t owner[POINT_COUNT];
    float white;
    pass_twice(&position);
    EXPECT_OK(game_count(&position, dead, &white, owner, err));
    EXPECT_NEAR(1 + 7.5 - 21, (double)white, 1e-6); /* D5, D4 and E4 touch both */
    EXPECT_INT(COLOR_EMPTY, owner[point_at(3, 0)]);
    dead[point_at(4, 0)] = true;
    EXPECT_OK(game_count(&position, dead, &white, owner, err));
    EXPECT_NEAR(7.5 - 25, (double)white, 1e-6);
    EXPECT_INT(COLOR_BLACK, owner[point_at(4, 0)]);
    EXPECT_OK(game_count(&position, dead, &white, NULL, err));
    EXPECT_INT(COLOR_WHITE, position.board.color[point_at(4, 0)]); /* the position is unchanged */
    position_clear(&position);
}

TEST_MAIN(RUN(passes_end_the_game_and_rules_may_settle_it), RUN(stones_are_dead_by_ownership),
          RUN(a_settled_game_does_not_ask_for_ownership),
          RUN(dead_stones_are_counted_for_the_opponent))
