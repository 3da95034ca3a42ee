/* drawing.h - boards as text, for people and tests. Threading: any thread. */
#pragma once
#include "base/strbuf.h"
#include "go/position.h"

/* Reads a drawing, row by row from the top: '.' is empty, 'X' Black and 'O' White. Blanks, line
 * breaks and '/' are ignored. ERR_SYNTAX: the drawing has another character, or too few or too many
 * points. ERR_ILLEGAL: a chain has no liberty. ERR_ARGUMENT: there are no boards of this size. */
MUST_USE Status board_parse(const char *drawing, int width, int height, Board *out, Error *err);
/* Reads a square board for tests; its size follows from the number of points in the drawing, which
 * must be valid. */
Board board_drawn(const char *drawing);
/* Whether the point at (x, y) is marked as a star point on boards of this size. */
bool board_is_star(const Board *board, int x, int y);
/* Writes the board with coordinates, and the point `marked` in parentheses. POINT_NONE and
 * POINT_PASS mark no point. */
void board_draw(const Board *board, Point marked, StrBuf *out);
/* Writes the board with the last move marked, the player to move, captures, komi and rules. */
void position_draw(const Position *position, StrBuf *out);
