/* point.h - the points of boards of up to 19x19. A point has the same number on boards of all
 * sizes, and arrays indexed by Point have a border around every board. x grows to the right and y
 * downwards, so (0, 0) is the top left corner, A19 on a 19x19 board. Immutable. */
#pragma once
#include "base/error.h"

#define BOARD_SIDE_MAX 19
#define BOARD_POINTS_MAX (BOARD_SIDE_MAX * BOARD_SIDE_MAX)
#define POINT_STRIDE (BOARD_SIDE_MAX + 1)
/* The size of an array indexed by Point. */
#define POINT_COUNT (POINT_STRIDE * (BOARD_SIDE_MAX + 2) + 1)
#define MOVES_MAX (BOARD_POINTS_MAX + 1) /* all points and the pass */

typedef int Point; /* stored as int16_t */
#define POINT_NONE 0
#define POINT_PASS 1

static inline Point point_at(int x, int y) {
    return (y + 1) * POINT_STRIDE + x + 1;
}
static inline int point_x(Point point) {
    return point % POINT_STRIDE - 1;
}
static inline int point_y(Point point) {
    return point / POINT_STRIDE - 1;
}

/* The differences between a point and its neighbours above, to the left, to the right and below. */
static const int POINT_STEPS[4] = {-POINT_STRIDE, -1, 1, POINT_STRIDE};

/* The index of a move in the policy or in a plane of a width x height board:
 *     y * width + x      a point
 *     width * height     the pass */
static inline int move_index(Point point, int width, int height) {
    return point == POINT_PASS ? width * height : point_y(point) * width + point_x(point);
}
static inline Point move_at_index(int index, int width, int height) {
    return index == width * height ? POINT_PASS : point_at(index % width, index / width);
}

/* Reads "C3" or "pass", in upper or lower case, on a board of this size. The letters skip I.
 * ERR_SYNTAX: the text is no move, or the point is off the board. */
MUST_USE Status point_parse(const char *text, int width, int height, Point *out, Error *err);
typedef struct {
    char text[8];
} PointText;
/* Writes "C3", "pass", or "none" for POINT_NONE. */
PointText point_text(Point point, int height);
