/* Captures, liberties, suicide and simple ko on boards, which do not know the earlier moves. */
#include "go/board_check.h"
#include "go/diagram.h"

/* Plays a stone at the point named 'a', and expects that it captures `captured` stones. */
static Board after_a(const char *text, Color color, int captured) {
    Diagram d = diagram(text);
    EXPECT_TRUE(board_is_legal(&d.board, marked(&d, 'a'), color, false));
    EXPECT_INT(captured > 0, board_would_capture(&d.board, marked(&d, 'a'), color));
    uint64_t hash = board_hash_after(&d.board, marked(&d, 'a'), color);
    EXPECT_INT(captured, board_play(&d.board, marked(&d, 'a'), color));
    EXPECT_INT(captured, d.board.captured[color_other(color)]);
    EXPECT_TRUE(d.board.hash == hash);
    EXPECT_OK(board_check(&d.board, err));
    return d.board;
}

TEST(a_single_stone_is_captured) {
    Board board = after_a(". . . . ."
                          ". . X . ."
                          ". X O X ."
                          ". . a . ."
                          ". . . . .",
                          COLOR_BLACK, 1);
    EXPECT_BOARD(&board, ". . . . ."
                         ". . X . ."
                         ". X . X ."
                         ". . X . ."
                         ". . . . .");
    EXPECT_INT(POINT_NONE, board.ko); /* the capturing stone has more liberties than one */
}

TEST(a_chain_is_captured_whole) {
    Board board = after_a(". X X . ."
                          "X O O X ."
                          ". X O X ."
                          ". X O a ."
                          ". . X . .",
                          COLOR_BLACK, 4);
    EXPECT_BOARD(&board, ". X X . ."
                         "X . . X ."
                         ". X . X ."
                         ". X . X ."
                         ". . X . .");
}

/* Diagonal neighbours are no chain, so only the stone without liberties is captured. */
TEST(a_diagonal_does_not_connect) {
    Board board = after_a(". X . . ."
                          "X O a . ."
                          ". X O . ."
                          ". . . . ."
                          ". . . . .",
                          COLOR_BLACK, 1);
    EXPECT_BOARD(&board, ". X . . ."
                         "X . X . ."
                         ". X O . ."
                         ". . . . ."
                         ". . . . .");
}

TEST(a_stone_in_the_corner_has_two_liberties) {
    Board board = after_a("O a . . ."
                          "X . . . ."
                          ". . . . ."
                          ". . . . ."
                          ". . . . .",
                          COLOR_BLACK, 1);
    EXPECT_BOARD(&board, ". X . . ."
                         "X . . . ."
                         ". . . . ."
                         ". . . . ."
                         ". . . . .");
}

TEST(a_chain_on_the_edge) {
    Board board = after_a(". . . . X"
                          ". . . X O"
                          ". . . X O"
                          ". . . X O"
                          ". . . . a",
                          COLOR_BLACK, 3);
    EXPECT_BOARD(&board, ". . . . X"
                         ". . . X ."
                         ". . . X ."
                         ". . . X ."
                         ". . . . X");
}

/* One move takes the last liberty of four chains: three of one stone and one of two stones. */
TEST(several_chains_are_captured_at_once) {
    Board board = after_a(". . . X ."
                          ". X X O X"
                          "X O O a O"
                          ". X X O X"
                          ". . . X .",
                          COLOR_BLACK, 5);
    EXPECT_BOARD(&board, ". . . X ."
                         ". X X . X"
                         "X . . X ."
                         ". X X . X"
                         ". . . X .");
}

/* A move into a point without liberties is no suicide if it captures. */
TEST(capturing_comes_before_suicide) {
    Board board = after_a(". X O . ."
                          "X O a O ."
                          ". X O . ."
                          ". . . . ."
                          ". . . . .",
                          COLOR_BLACK, 1);
    EXPECT_BOARD(&board, ". X O . ."
                         "X . X O ."
                         ". X O . ."
                         ". . . . ."
                         ". . . . .");
}

TEST(a_single_stone_never_takes_its_own_last_liberty) {
    Diagram d = diagram("a O . O b"
                        "O . . . O"
                        ". . O . ."
                        ". O c O ."
                        ". . O . .");
    for (char name = 'a'; name <= 'c'; name++) {
        Point point = marked(&d, name);
        EXPECT_TRUE(board_is_suicide(&d.board, point, COLOR_BLACK));
        EXPECT_FALSE(board_is_legal(&d.board, point, COLOR_BLACK, false));
        EXPECT_FALSE(board_is_legal(&d.board, point, COLOR_BLACK, true));
        /* White's stone connects to others */
        EXPECT_FALSE(board_is_suicide(&d.board, point, COLOR_WHITE));
        EXPECT_TRUE(board_is_legal(&d.board, point, COLOR_WHITE, false));
    }
}

TEST(several_stones_take_their_own_last_liberty_where_the_rule_allows) {
    Diagram d = diagram("X X a O ."
                        "O O O . ."
                        ". . . . ."
                        ". . . . ."
                        ". . . . .");
    Point a = marked(&d, 'a');
    EXPECT_TRUE(board_is_suicide(&d.board, a, COLOR_BLACK));
    EXPECT_FALSE(board_is_legal(&d.board, a, COLOR_BLACK, false));
    EXPECT_TRUE(board_is_legal(&d.board, a, COLOR_BLACK, true));
    uint64_t hash = board_hash_after(&d.board, a, COLOR_BLACK);
    EXPECT_INT(-3, board_play(&d.board, a, COLOR_BLACK));
    EXPECT_INT(3, d.board.captured[COLOR_BLACK]);
    EXPECT_INT(POINT_NONE, d.board.ko);
    EXPECT_TRUE(d.board.hash == hash);
    EXPECT_OK(board_check(&d.board, err));
    EXPECT_BOARD(&d.board, ". . . O ."
                           "O O O . ."
                           ". . . . ."
                           ". . . . ."
                           ". . . . .");
}

/* A liberty that a chain touches with two stones counts once. */
TEST(chains_that_are_joined_share_their_liberties) {
    Diagram d = diagram(". . . . ."
                        ". . X . ."
                        ". X a B ."
                        ". O . O ."
                        ". . . . .");
    Point out[BOARD_POINTS_MAX];
    EXPECT_INT(3, board_liberties(&d.board, point_at(1, 2))); /* left, up, a */
    EXPECT_INT(4, board_liberties(&d.board, point_at(2, 1))); /* left, up, right, a */
    EXPECT_INT(3, board_liberties(&d.board, marked(&d, 'B')));
    EXPECT_INT(0, board_play(&d.board, marked(&d, 'a'), COLOR_BLACK));
    /* (2, 0), (1, 1), (3, 1), (0, 2), (4, 2) and (2, 3) */
    EXPECT_INT(6, board_liberties(&d.board, marked(&d, 'B')));
    EXPECT_INT(6, board_list_liberties(&d.board, marked(&d, 'B'), out));
    EXPECT_OK(board_check(&d.board, err));
}

/* After Black has captured at a, the new black stone has one liberty, where White may not play
 * immediately. */
TEST(a_ko_point_lasts_one_move) {
    Diagram d = diagram(". X O . ."
                        "X W a O ."
                        ". X O . ."
                        ". . . . ."
                        ". . . . e");
    Point ko = marked(&d, 'W');
    EXPECT_INT(1, board_play(&d.board, marked(&d, 'a'), COLOR_BLACK));
    EXPECT_INT(ko, d.board.ko);
    EXPECT_TRUE(board_is_ko_banned(&d.board, ko));
    EXPECT_FALSE(board_is_legal(&d.board, ko, COLOR_WHITE, false));
    Board passed = d.board;
    EXPECT_INT(0, board_play(&passed, POINT_PASS, COLOR_WHITE));
    EXPECT_INT(POINT_NONE, passed.ko);
    EXPECT_INT(0, board_play(&d.board, marked(&d, 'e'), COLOR_WHITE));
    EXPECT_TRUE(board_is_legal(&d.board, ko, COLOR_WHITE, false));
    EXPECT_INT(1, board_play(&d.board, ko, COLOR_WHITE)); /* now Black may not retake immediately */
    EXPECT_INT(marked(&d, 'a'), d.board.ko);
    EXPECT_OK(board_check(&d.board, err));
}

/* A snapback: White's capturing stone belongs to a chain of six, so Black may capture it
 * immediately. */
TEST(a_snapback_is_no_ko) {
    Diagram d = diagram("X O O B a"
                        "X X O O O"
                        ". X X X X"
                        ". . . . ."
                        ". . . . .");
    EXPECT_INT(1, board_liberties(&d.board, marked(&d, 'B')));
    EXPECT_INT(1, board_play(&d.board, marked(&d, 'a'), COLOR_WHITE));
    EXPECT_INT(POINT_NONE, d.board.ko);
    EXPECT_INT(6, board_play(&d.board, marked(&d, 'B'), COLOR_BLACK));
    EXPECT_BOARD(&d.board, "X . . X ."
                           "X X . . ."
                           ". X X X X"
                           ". . . . ."
                           ". . . . .");
}

/* The move captures two stones, so there is no ko. */
TEST(taking_two_is_no_ko) {
    Board board = after_a("X O O a O"
                          ". X X O ."
                          ". . . . ."
                          ". . . . ."
                          ". . . . .",
                          COLOR_BLACK, 2);
    EXPECT_INT(POINT_NONE, board.ko);
}

TEST(setup_captures_nothing) {
    Diagram d = diagram("a X ."
                        "O . ."
                        ". . .");
    Point a = marked(&d, 'a');
    EXPECT_TRUE(board_set(&d.board, point_at(1, 1), COLOR_BLACK));
    EXPECT_TRUE(board_set(&d.board, point_at(0, 2), COLOR_BLACK));
    Board before = d.board;
    EXPECT_FALSE(board_set(&d.board, a, COLOR_BLACK)); /* White would have no liberty */
    EXPECT_FALSE(board_set(&d.board, POINT_PASS, COLOR_BLACK));
    EXPECT_TRUE(board_equal_stones(&before, &d.board));
    EXPECT_TRUE(board_set(&d.board, point_at(0, 1), COLOR_EMPTY));
    EXPECT_TRUE(board_set(&d.board, a, COLOR_BLACK));
    EXPECT_INT(0, d.board.captured[COLOR_WHITE]);
    EXPECT_OK(board_check(&d.board, err));
    EXPECT_BOARD(&d.board, "X X ."
                           ". X ."
                           "X . .");
}

/* Boards with equal stones have equal hashes, whichever moves led there. Another size has another
 * hash. */
TEST(equal_stones_have_equal_hashes) {
    Diagram d = diagram(". X O . ."
                        "X W a O ."
                        ". X O . ."
                        ". . . . ."
                        ". . . . .");
    uint64_t before = d.board.hash;
    board_play(&d.board, marked(&d, 'a'), COLOR_BLACK);
    EXPECT_FALSE(d.board.hash == before);
    board_play(&d.board, marked(&d, 'W'), COLOR_WHITE);
    EXPECT_TRUE(d.board.hash == before);
    Board small, wide;
    EXPECT_OK(board_init(&small, 5, 6, err));
    EXPECT_OK(board_init(&wide, 6, 5, err));
    EXPECT_FALSE(small.hash == wide.hash);
}

TEST(copies_are_equal) {
    Diagram d = diagram(". X O . ."
                        "X O a O ."
                        ". X O . ."
                        ". . . . ."
                        ". . . . .");
    Board fresh = {0}, other;
    board_play(&d.board, marked(&d, 'a'), COLOR_BLACK);
    EXPECT_OK(board_init(&other, 5, 5, err)); /* a copy to a board of equal size copies less */
    board_copy(&fresh, &d.board);
    board_copy(&other, &d.board);
    const Board *const copies[] = {&fresh, &other};
    for (int i = 0; i < 2; i++) {
        EXPECT_TRUE(board_equal_stones(&d.board, copies[i]));
        EXPECT_TRUE(d.board.hash == copies[i]->hash);
        EXPECT_INT(d.board.ko, copies[i]->ko);
        EXPECT_INT(1, copies[i]->captured[COLOR_WHITE]);
        EXPECT_OK(board_check(copies[i], err));
    }
}

TEST(sizes_are_2_to_19) {
    static const int BAD[][2] = {{1, 9}, {9, 1}, {20, 9}, {9, 20}, {0, 0}, {-3, 9}};
    Board board;
    EXPECT_OK(board_init(&board, 2, 19, err));
    EXPECT_FALSE(board_on(&board, point_at(2, 0)));
    EXPECT_TRUE(board_on(&board, point_at(1, 18)));
    EXPECT_FALSE(board_on(&board, POINT_PASS));
    EXPECT_FALSE(board_on(&board, POINT_NONE));
    EXPECT_INT(1, board_words(&board)); /* 38 points */
    EXPECT_OK(board_init(&board, 19, 19, err));
    EXPECT_INT(6, board_words(&board)); /* 361 points: 5 words hold 320 */
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++)
        EXPECT_STATUS(ERR_ARGUMENT, board_init(&board, BAD[i][0], BAD[i][1], NULL));
}

/* board_check() finds an error in each of these members of a board. */
TEST(a_check_finds_what_is_wrong) {
    Diagram d = diagram(". X O . ."
                        "X W a O ."
                        ". X O . ."
                        ". . . . ."
                        ". . X X .");
    board_play(&d.board, marked(&d, 'a'), COLOR_BLACK);
    Point head = d.board.chain_head[point_at(2, 4)];
    EXPECT_OK(board_check(&d.board, err));
    for (int fault = 0; fault < 9; fault++) {
        Board broken = d.board;
        if (fault == 0) broken.chain_liberties[head]++;
        if (fault == 1) broken.chain_stones[head] = 1;
        if (fault == 2) broken.chain_next[head] = (int16_t)head;
        if (fault == 3) broken.chain_head[head] = broken.chain_head[point_at(1, 0)];
        if (fault == 4) broken.hash ^= 1;
        if (fault == 5) broken.stones--;
        if (fault == 6) broken.ko = point_at(4, 4);
        if (fault == 7) broken.color[point_at(4, 4)] = COLOR_WALL;
        if (fault == 8) broken.color[point_at(0, 0)] = COLOR_WHITE; /* a stone without a chain */
        EXPECT_STATUS(ERR_ARGUMENT, board_check(&broken, NULL));
    }
}

TEST_MAIN(RUN(a_single_stone_is_captured), RUN(a_chain_is_captured_whole),
          RUN(a_diagonal_does_not_connect), RUN(a_stone_in_the_corner_has_two_liberties),
          RUN(a_chain_on_the_edge), RUN(several_chains_are_captured_at_once),
          RUN(capturing_comes_before_suicide), RUN(a_single_stone_never_takes_its_own_last_liberty),
          RUN(several_stones_take_their_own_last_liberty_where_the_rule_allows),
          RUN(chains_that_are_joined_share_their_liberties), RUN(a_ko_point_lasts_one_move),
          RUN(a_snapback_is_no_ko), RUN(taking_two_is_no_ko), RUN(setup_captures_nothing),
          RUN(equal_stones_have_equal_hashes), RUN(copies_are_equal), RUN(sizes_are_2_to_19),
          RUN(a_check_finds_what_is_wrong))
