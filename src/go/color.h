/* color.h - the color of a point: empty, black, white, or wall. Black and White also name the
 * players. Immutable. */
#pragma once

typedef enum { COLOR_EMPTY = 0, COLOR_BLACK = 1, COLOR_WHITE = 2, COLOR_WALL = 3 } Color;

/* The opponent of a player, who is COLOR_BLACK or COLOR_WHITE. */
static inline Color color_other(Color color) {
    return (Color)(COLOR_WALL - color);
}
