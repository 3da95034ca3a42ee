/* Boards drawn as text: coordinates, marks, colors, star points, and Unicode. */
#include <string.h>

#include "eval/view/board_view.h"
#include "go/drawing.h"
#include "test.h"

static const char DRAWING[] = ". . O"
                              "X . ."
                              ". X .";

static void expect_drawing(const char *want, const BoardMarks *marks, const char *beside) {
    Board board = board_drawn(DRAWING);
    StrBuf out = {0};
    board_view_draw(&board, marks, (BoardViewStyle){0}, beside, &out);
    EXPECT_TEXT(want, strbuf_text(&out));
    strbuf_clear(&out);
}

TEST(a_plain_board_has_coordinates_and_text_beside_it) {
    expect_drawing("   A B C\n"
                   " 3 . . O  3   one\n"
                   " 2 X . .  2\n"
                   " 1 . X .  1   three\n"
                   "   A B C\n",
                   &(BoardMarks){0}, "\none\n\nthree\n");
}

TEST(a_long_text_goes_on_below_the_board) {
    expect_drawing("   A B C      1\n"
                   " 3 . . O  3   2\n"
                   " 2 X . .  2   3\n"
                   " 1 . X .  1   4\n"
                   "   A B C      5\n"
                   "              6\n",
                   &(BoardMarks){0}, "1\n2\n3\n4\n5\n6\n");
}

TEST(last_move_cursor_and_letters_are_marked) {
    char letters[POINT_COUNT] = {0};
    letters[point_at(0, 0)] = 'a';
    letters[point_at(1, 2)] = 'b'; /* is not drawn, because a stone is there */
    expect_drawing(
        "   A B C\n"
        " 3 a .(O) 3\n"
        " 2 X[.].  2\n"
        " 1 . X .  1\n"
        "   A B C\n",
        &(BoardMarks){.last = point_at(2, 0), .cursor = point_at(1, 1), .letters = letters}, NULL);
}

TEST(the_cursor_comes_before_the_last_move) {
    expect_drawing("   A B C\n"
                   " 3 . .[O] 3\n"
                   " 2 X . .  2\n"
                   " 1 . X .  1\n"
                   "   A B C\n",
                   &(BoardMarks){.last = point_at(2, 0), .cursor = point_at(2, 0)}, NULL);
}

TEST(dead_stones_and_areas_are_drawn) {
    bool dead[POINT_COUNT] = {false};
    uint8_t owner[POINT_COUNT] = {0};
    dead[point_at(2, 0)] = true;
    for (int i = 0; i < 9; i++)
        owner[move_at_index(i, 3, 3)] = i < 3 ? COLOR_BLACK : i < 6 ? COLOR_WHITE : COLOR_EMPTY;
    expect_drawing("   A B C\n"
                   " 3 x x(O) 3\n"
                   " 2 X o o  2\n"
                   " 1 . X .  1\n"
                   "   A B C\n",
                   &(BoardMarks){.dead = dead, .owner = owner}, NULL);
}

/* Copies the text without its escape sequences for colors. */
static void strip(const char *text, char *out) {
    while (*text) {
        if (*text == '\033') {
            text += strcspn(text, "m") + 1;
            continue;
        }
        *out++ = *text++;
    }
    *out = 0;
}

TEST(colors_change_nothing_but_colors) {
    Board board = board_drawn(DRAWING);
    const BoardMarks marks = {.last = point_at(0, 1), .cursor = point_at(2, 2)};
    StrBuf plain = {0}, colored = {0};
    char stripped[4096];
    board_view_draw(&board, &marks, (BoardViewStyle){0}, "x", &plain);
    board_view_draw(&board, &marks, (BoardViewStyle){.colors = 256}, "x", &colored);
    EXPECT_CONTAINS(strbuf_text(&colored), "\033[48;5;");
    strip(strbuf_text(&colored), stripped);
    EXPECT_TEXT(strbuf_text(&plain), stripped);
    strbuf_clear(&plain);
    strbuf_clear(&colored);
}

TEST(star_points_are_drawn_except_among_areas) {
    static const struct {
        int size, stars;
    } BOARDS[] = {{5, 0}, {7, 1}, {8, 0}, {9, 9}, {10, 4}, {13, 9}, {19, 9}};
    for (size_t i = 0; i < sizeof BOARDS / sizeof *BOARDS; i++) {
        Board board;
        StrBuf out = {0};
        int stars = 0;
        EXPECT_OK(board_init(&board, BOARDS[i].size, BOARDS[i].size, err));
        board_view_draw(&board, &(BoardMarks){0}, (BoardViewStyle){0}, NULL, &out);
        for (const char *at = strbuf_text(&out); *at; at++)
            stars += *at == '+';
        EXPECT_INT(BOARDS[i].stars, stars);
        const uint8_t owner[POINT_COUNT] = {0};
        strbuf_reset(&out);
        board_view_draw(&board, &(BoardMarks){.owner = owner}, (BoardViewStyle){0}, NULL, &out);
        EXPECT_TRUE(strchr(strbuf_text(&out), '+') == NULL);
        strbuf_clear(&out);
    }
}

TEST(unicode_has_lines_and_round_stones) {
    Board board = board_drawn(DRAWING);
    StrBuf out = {0};
    char stripped[4096];
    board_view_draw(&board, &(BoardMarks){0}, (BoardViewStyle){.colors = 256, .unicode = true},
                    NULL, &out);
    strip(strbuf_text(&out), stripped);
    EXPECT_TEXT("   A B C\n"
                " 3 \u250c\u2500\u252c\u2500\u25cf  3\n"
                " 2 \u25cf\u2500\u253c\u2500\u2524  2\n"
                " 1 \u2514\u2500\u25cf\u2500\u2518  1\n"
                "   A B C\n",
                stripped);
    strbuf_clear(&out);
}

/* Terminals with 8 colors do not know the sequences of those with 256. */
TEST(eight_colors_have_sequences_of_their_own) {
    Board board = board_drawn(DRAWING);
    const BoardMarks marks = {.last = point_at(0, 1), .cursor = point_at(2, 2)};
    StrBuf plain = {0}, colored = {0};
    char stripped[4096];
    board_view_draw(&board, &marks, (BoardViewStyle){0}, NULL, &plain);
    board_view_draw(&board, &marks, (BoardViewStyle){.colors = 8}, NULL, &colored);
    EXPECT_CONTAINS(strbuf_text(&colored), "\033[0;41;30mX"); /* the last move on red */
    EXPECT_CONTAINS(strbuf_text(&colored), "\033[1;43;37mO"); /* bold, so that it is white */
    EXPECT_TRUE(strstr(strbuf_text(&colored), ";5;") == NULL);
    strip(strbuf_text(&colored), stripped);
    EXPECT_TEXT(strbuf_text(&plain), stripped);
    strbuf_clear(&plain);
    strbuf_clear(&colored);
}

TEST(a_small_board_has_numbers_and_letters_on_one_side) {
    Board board = board_drawn(DRAWING);
    const BoardViewStyle small = {.small = true};
    StrBuf out = {0};
    board_view_draw(&board, &(BoardMarks){.last = point_at(2, 0)}, small, "one\n\n\n\nfive", &out);
    EXPECT_TEXT("   A B C   one\n"
                " 3 . .(O)\n"
                " 2 X . .\n"
                " 1 . X .\n"
                "           five\n",
                strbuf_text(&out));
    EXPECT_INT(9, board_view_columns(&board, small));
    EXPECT_INT(4, board_view_rows(&board, small));
    EXPECT_INT(12, board_view_columns(&board, (BoardViewStyle){0}));
    EXPECT_INT(5, board_view_rows(&board, (BoardViewStyle){0}));
    strbuf_clear(&out);
}

/* board_view_add_sign() draws a sign in the same way as the board shows it. */
TEST(signs_are_those_of_the_board) {
    static const BoardViewStyle STYLES[] = {{0},
                                            {.colors = 8},
                                            {.colors = 256},
                                            {.colors = 8, .unicode = true},
                                            {.colors = 256, .unicode = true}};
    for (size_t i = 0; i < sizeof STYLES / sizeof *STYLES; i++) {
        Board board = board_drawn("X .O ."
                                  ". .. ."
                                  ". .. ."
                                  ". .. .");
        uint8_t owner[POINT_COUNT] = {0};
        owner[point_at(1, 1)] = COLOR_BLACK;
        owner[point_at(2, 2)] = COLOR_WHITE;
        StrBuf drawing = {0}, sign = {0};
        board_view_draw(&board, &(BoardMarks){.owner = owner}, STYLES[i], NULL, &drawing);
        for (int k = BOARD_SIGN_BLACK; k <= BOARD_SIGN_WHITE_AREA; k++) {
            strbuf_reset(&sign);
            board_view_add_sign((BoardSign)k, STYLES[i], &sign);
            size_t end = STYLES[i].colors ? strlen("\033[0m") : 0;
            sign.text[sign.length - end] = 0;
            EXPECT_CONTAINS(strbuf_text(&drawing), strbuf_text(&sign));
        }
        strbuf_clear(&drawing);
        strbuf_clear(&sign);
    }
}

TEST_MAIN(RUN(a_plain_board_has_coordinates_and_text_beside_it),
          RUN(a_long_text_goes_on_below_the_board), RUN(last_move_cursor_and_letters_are_marked),
          RUN(the_cursor_comes_before_the_last_move), RUN(dead_stones_and_areas_are_drawn),
          RUN(colors_change_nothing_but_colors), RUN(star_points_are_drawn_except_among_areas),
          RUN(unicode_has_lines_and_round_stones), RUN(eight_colors_have_sequences_of_their_own),
          RUN(a_small_board_has_numbers_and_letters_on_one_side), RUN(signs_are_those_of_the_board))
