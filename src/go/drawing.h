/* drawing.h - boards as text, for people and tests. Threading: any thread. */
#pragma once
#include "base/strbuf.h"
#include "go/position.h"

/* Reads rows from the top, '.' 'X' 'O' with any blanks, line breaks and '/' between. ERR_SYNTAX:
 * another sign, or too few or too many points; ERR_ILLEGAL: a chain without liberty; ERR_ARGUMENT:
 * the size. */
MUST_USE Status board_parse(const char *drawing, int width, int height, Board *out, Error *err);
/* A square board for tests, which must parse. */
Board board_drawn(const char *drawing);
/* Writes the board with coordinates. `marked` stands in brackets; POINT_NONE: no point does. */
void board_draw(const Board *board, Point marked, StrBuf *out);
/* The board with the last move marked, who moves, captures, komi and rules. */
void position_draw(const Position *position, StrBuf *out);
