/* diagram.h - boards for tests, drawn as diagrams.
 *
 *     Diagram d = diagram(". X . . ."
 *                         "X O a . ."     X, O: stones; a to z: names of empty points
 *                         ". X . . ."
 *                         ". . . B ."     B, W: names of a black and of a white stone
 *                         ". . . . .");
 *     board_play(&d.board, marked(&d, 'a'), COLOR_BLACK);
 *     EXPECT_BOARD(&d.board, ". X . . ."
 *                            "X . X . ."
 *                            ". X . . ."
 *                            ". . . X ."
 *                            ". . . . .");
 *
 * diagram() is for square boards, diagram_sized() for boards of any size. */
#pragma once
#include <ctype.h>

#include "go/board.h"
#include "go/drawing.h"
#include "test.h"

typedef struct {
    Board board;
    Point named[128]; /* by character; POINT_NONE if the diagram has no such name */
} Diagram;

static inline Diagram diagram_sized(const char *text, int width, int height) {
    Diagram out = {0};
    char plain[2 * BOARD_POINTS_MAX + 1] = "";
    int count = 0;
    for (const char *at = text; *at; at++) {
        if (*at == ' ') continue;
        char sign = *at;
        if (islower((unsigned char)sign)) sign = '.';
        if (sign == 'B') sign = 'X';
        if (sign == 'W') sign = 'O';
        assert_true(count < BOARD_POINTS_MAX);
        if (sign != *at) {
            assert_int_equal(out.named[(int)*at], POINT_NONE); /* each name once */
            out.named[(int)*at] = point_at(count % width, count / width);
        }
        plain[count++] = sign;
    }
    EXPECT_OK(board_parse(plain, width, height, &out.board, err));
    return out;
}

static inline int diagram_size(const char *text) {
    int count = 0, size = 2;
    for (const char *at = text; *at; at++)
        count += *at != ' ';
    while (size * size < count)
        size++;
    return size;
}

static inline Diagram diagram(const char *text) {
    int size = diagram_size(text);
    return diagram_sized(text, size, size);
}

/* Returns the point with this name. */
static inline Point marked(const Diagram *diagram, char name) {
    Point point = diagram->named[(int)name];
    if (point == POINT_NONE) fail_msg("the diagram has no point '%c'", name);
    return point;
}

/* Compares a board, or an area, with a drawing of X, O and '.'. If they differ, both are shown. */
static inline void expect_signs(const uint8_t colors[POINT_COUNT], const Board *board,
                                const char *want, const char *file, int line) {
    char got[2 * BOARD_POINTS_MAX + 1], wanted[2 * BOARD_POINTS_MAX + 1];
    int count = 0, points = board->width * board->height;
    for (int i = 0; i < points; i++) {
        got[2 * i] = ".XO#"[colors[move_at_index(i, board->width, board->height)]];
        got[2 * i + 1] = wanted[2 * i + 1] = (i + 1) % board->width ? ' ' : '\n';
    }
    for (const char *at = want; *at; at++) {
        if (*at == ' ') continue;
        assert_true(count < points);
        wanted[2 * count++] = *at;
    }
    assert_int_equal(count, points);
    got[2 * points] = wanted[2 * points] = 0;
    if (strcmp(got, wanted) == 0) return;
    print_error("got:\n%swanted:\n%s", got, wanted);
    _fail(file, line);
}
#define EXPECT_BOARD(board, want) expect_signs((board)->color, board, want, __FILE__, __LINE__)
#define EXPECT_AREA(area, board, want) expect_signs(area, board, want, __FILE__, __LINE__)
