/* color.h - what is on a point, and the two players. Immutable. */
#pragma once

typedef enum { COLOR_EMPTY = 0, COLOR_BLACK = 1, COLOR_WHITE = 2, COLOR_WALL = 3 } Color;

static inline Color color_other(Color color) {
    return (Color)(COLOR_WALL - color);
} /* of a player */
