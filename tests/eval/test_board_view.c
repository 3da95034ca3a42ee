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
    board_view_draw(&board, marks, BOARD_VIEW_PLAIN, beside, &out);
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
    board_view_draw(&board, &marks, BOARD_VIEW_PLAIN, "x", &plain);
    board_view_draw(&board, &marks, BOARD_VIEW_COLOR, "x", &colored);
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
        board_view_draw(&board, &(BoardMarks){0}, BOARD_VIEW_PLAIN, NULL, &out);
        for (const char *at = strbuf_text(&out); *at; at++)
            stars += *at == '+';
        EXPECT_INT(BOARDS[i].stars, stars);
        const uint8_t owner[POINT_COUNT] = {0};
        strbuf_reset(&out);
        board_view_draw(&board, &(BoardMarks){.owner = owner}, BOARD_VIEW_PLAIN, NULL, &out);
        EXPECT_TRUE(strchr(strbuf_text(&out), '+') == NULL);
        strbuf_clear(&out);
    }
}

TEST(unicode_has_lines_and_round_stones) {
    Board board = board_drawn(DRAWING);
    StrBuf out = {0};
    char stripped[4096];
    board_view_draw(&board, &(BoardMarks){0}, BOARD_VIEW_UNICODE, NULL, &out);
    strip(strbuf_text(&out), stripped);
    EXPECT_TEXT("   A B C\n"
                " 3 \u250c\u2500\u252c\u2500\u25cf  3\n"
                " 2 \u25cf\u2500\u253c\u2500\u2524  2\n"
                " 1 \u2514\u2500\u25cf\u2500\u2518  1\n"
                "   A B C\n",
                stripped);
    strbuf_clear(&out);
}

TEST_MAIN(RUN(a_plain_board_has_coordinates_and_text_beside_it),
          RUN(a_long_text_goes_on_below_the_board), RUN(last_move_cursor_and_letters_are_marked),
          RUN(the_cursor_comes_before_the_last_move), RUN(dead_stones_and_areas_are_drawn),
          RUN(colors_change_nothing_but_colors), RUN(star_points_are_drawn_except_among_areas),
          RUN(unicode_has_lines_and_round_stones))
