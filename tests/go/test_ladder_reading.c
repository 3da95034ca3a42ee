/* Ladders as diagrams: W is a stone of the chain that Black attacks. If the chain is not in atari,
 * lower-case letters are the first moves of Black that capture it. expect_ladder() reads a diagram
 * four times: on 7x7, in the corner of a 13x13 board, and on both boards with the colors exchanged.
 * Small boards and large boards have different code. */
#include "go/diagram.h"
#include "go/ladder/ladder.h"

enum { DRAWN = 7 };

static bool has_bit(const uint64_t *words, const Board *board, Point point) {
    int index = move_index(point, board->width, board->height);
    return words[index / 64] >> index % 64 & 1;
}

static Board exchange_colors(const Board *board) {
    Board out = *board;
    uint8_t colors[POINT_COUNT];
    for (Point p = 0; p < POINT_COUNT; p++) {
        Color color = (Color)board->color[p];
        bool stone = color == COLOR_BLACK || color == COLOR_WHITE;
        colors[p] = (uint8_t)(stone ? color_other(color) : color);
    }
    EXPECT_TRUE(board_set_all(&out, colors));
    return out;
}

static Board in_the_corner(const Board *board) {
    Board out;
    EXPECT_OK(board_init(&out, 13, 13, err));
    uint8_t colors[POINT_COUNT];
    memcpy(colors, out.color, sizeof colors);
    for (int i = 0; i < DRAWN * DRAWN; i++) {
        Point point = move_at_index(i, DRAWN, DRAWN);
        colors[point] = board->color[point];
    }
    EXPECT_TRUE(board_set_all(&out, colors));
    return out;
}

static void expect_reading(const Board *board, const Diagram *d, bool captured) {
    Point stone = marked(d, 'W'), working[2];
    LadderMap maps[2];
    int count, named = 0, side = board->color[stone] == COLOR_WHITE;
    bool in_atari = board_liberties(board, stone) == 1;
    EXPECT_INT(captured, ladder_captures(board, stone, in_atari, working, &count));
    ladder_find(board, &maps[0]);
    ladder_reading_find(board, &maps[1]);
    for (int i = 0; i < 2; i++)
        EXPECT_INT(captured, has_bit(maps[i].laddered, board, stone));
    for (char name = 'a'; name <= 'z'; name++) {
        Point point = d->named[(int)name];
        if (point == POINT_NONE) continue;
        EXPECT_TRUE(++named <= count);
        EXPECT_TRUE(working[0] == point || (count == 2 && working[1] == point));
        for (int i = 0; i < 2; i++)
            EXPECT_TRUE(has_bit(maps[i].working[side], board, point));
    }
    EXPECT_INT(named, count);
}

static void expect_ladder(bool captured, const char *drawing) {
    Diagram d = diagram(drawing);
    EXPECT_INT(DRAWN, d.board.width);
    Board other = exchange_colors(&d.board), large = in_the_corner(&d.board),
          large_other = in_the_corner(&other);
    expect_reading(&d.board, &d, captured);
    expect_reading(&other, &d, captured);
    expect_reading(&large, &d, captured);
    expect_reading(&large_other, &d, captured);
}

/* Black plays at a, White at the point below W, and Black at the point below that white stone. The
 * ladder goes on to the corner at the lower right. */
TEST(a_ladder_works) {
    expect_ladder(true, ". . . . . . ."
                        ". . X . . . ."
                        ". X W a . . ."
                        ". X . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . .");
}

TEST(a_stone_on_its_way_breaks_a_ladder) {
    expect_ladder(false, ". . . . . . ."
                         ". . X . . . ."
                         ". X W . . . ."
                         ". X . . . . ."
                         ". . . . . . ."
                         ". . . . . O ."
                         ". . . . . . .");
}

TEST(a_stone_beside_its_way_breaks_no_ladder) {
    expect_ladder(true, ". . . . . . ."
                        ". . X . . . ."
                        ". X W a . . ."
                        ". X . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        "O . . . . . .");
}

TEST(a_stone_of_the_attacker_breaks_no_ladder) {
    expect_ladder(true, ". . . . . . ."
                        ". . X . . . ."
                        ". X W a . . ."
                        ". X . . . . ."
                        ". . . . . . ."
                        ". . . . . X ."
                        ". . . . . . .");
}

/* White's stone on the right is not on the way of the ladder. But with the help of this stone,
 * White puts Black's first stone in atari, captures it and escapes. */
TEST(an_atari_on_the_attacker_breaks_a_ladder) {
    expect_ladder(false, ". . . . . . ."
                         ". . X . . . ."
                         ". X W . O . ."
                         ". X . . . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . .");
}

/* White runs below W. This puts the two black stones on the left in atari. */
TEST(capturing_the_attackers_chain_breaks_a_ladder) {
    expect_ladder(false, ". . . . . . ."
                         ". O X . . . ."
                         "O X W . . . ."
                         "O X . . . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . .");
}

/* W is in atari, so White moves first, and crawls along the edge into the corner. */
TEST(a_ladder_along_the_edge) {
    expect_ladder(true, ". X W . . . ."
                        ". . X . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . .");
    expect_ladder(false, ". X W . . . ."
                         ". . X . . O ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . .");
}

/* W is in atari and cannot escape, because extending would be suicide. */
TEST(a_stone_that_cannot_move_is_captured) {
    expect_ladder(true, "W . X . . . ."
                        "X X . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . .");
}

/* W is in atari, but one move makes three liberties. */
TEST(a_stone_that_runs_into_the_open_escapes) {
    expect_ladder(false, ". . . . . . ."
                         ". . X . . . ."
                         ". X W X . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . .");
}

/* W has two liberties, and Black can begin the capture at either of them. */
TEST(both_first_moves_may_work) {
    expect_ladder(true, "W a X . . . ."
                        "b . X . . . ."
                        "X X . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . .");
}

TEST(three_liberties_are_no_ladder) {
    expect_ladder(false, ". . . . . . ."
                         ". . X . . . ."
                         ". . W . . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . .");
}

/* All stones of the chain are marked as laddered. */
TEST(a_chain_is_captured_whole) {
    LadderMap map;
    Diagram d = diagram(". . . . . . ."
                        ". X X X . . ."
                        "X O O W a . ."
                        ". X X . . . ."
                        ". . X . . . ."
                        ". . . . . . ."
                        ". . . . . . .");
    ladder_find(&d.board, &map);
    for (int i = 0; i < DRAWN * DRAWN; i++) {
        Point point = move_at_index(i, DRAWN, DRAWN);
        EXPECT_INT(d.board.color[point] == COLOR_WHITE, has_bit(map.laddered, &d.board, point));
        EXPECT_INT(point == marked(&d, 'a'), has_bit(map.working[1], &d.board, point));
        EXPECT_INT(0, has_bit(map.working[0], &d.board, point));
    }
}

/* Each of the two liberties of W's chain has a single white stone beside it that Black could take in
 * a ko. If Black takes one, White takes back, and Black takes the other. White cannot fight both
 * kos, so the chain dies, and each of the two first moves works. */
TEST(a_double_ko_is_a_death) {
    expect_ladder(true, "a O O W b O X"
                        "O X X O O X ."
                        "X . . X X . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . .");
    /* Black has taken one of the two kos, and White may take back at once. */
    expect_ladder(true, "X O O W . O X"
                        ". X X O O X ."
                        "X . . X X . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . .");
    /* W is in atari. White can only capture the stone beside it, which makes the second ko. */
    expect_ladder(true, ". O O W X . X"
                        "O X X O O X ."
                        "X . . X X . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . ."
                        ". . . . . . .");
}

/* The white stone on the right has a second liberty, so that there is only one ko, on the left.
 * White takes back in this ko, and Black may not take again at once. The other liberty is an eye. */
TEST(white_takes_back_in_a_single_ko) {
    expect_ladder(false, ". O O W . O ."
                         "O X X O O X ."
                         "X . . X X . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . .");
    expect_ladder(false, "X O O W . O ."
                         ". X X O O X ."
                         "X . . X X . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . .");
}

/* W is in atari. White captures the stone beside it and gets an eye there, so Black can only take
 * the ko on the left. White has no move against this, but a capture that depends on a ko is no
 * ladder. */
TEST(a_capture_that_needs_a_ko_is_no_ladder) {
    expect_ladder(false, ". O O W X . ."
                         "O X X O O X ."
                         "X . . X X . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . ."
                         ". . . . . . .");
}

TEST_MAIN(RUN(a_ladder_works), RUN(a_stone_on_its_way_breaks_a_ladder),
          RUN(a_stone_beside_its_way_breaks_no_ladder),
          RUN(a_stone_of_the_attacker_breaks_no_ladder),
          RUN(an_atari_on_the_attacker_breaks_a_ladder),
          RUN(capturing_the_attackers_chain_breaks_a_ladder), RUN(a_ladder_along_the_edge),
          RUN(a_stone_that_cannot_move_is_captured), RUN(a_stone_that_runs_into_the_open_escapes),
          RUN(both_first_moves_may_work), RUN(three_liberties_are_no_ladder),
          RUN(a_double_ko_is_a_death), RUN(white_takes_back_in_a_single_ko),
          RUN(a_capture_that_needs_a_ko_is_no_ladder), RUN(a_chain_is_captured_whole))
