/* board_view.h - draws a board for people in a terminal. It marks the last move, a cursor, dead
 * stones, areas and letters on points, and puts text beside the board. Threading: any thread. */
#pragma once
#include "base/strbuf.h"
#include "go/board.h"

typedef enum {
    BOARD_VIEW_PLAIN,  /* ASCII without control sequences */
    BOARD_VIEW_COLOR,  /* ASCII with the colors of ANSI terminals with 256 colors */
    BOARD_VIEW_UNICODE /* the same colors, with lines and round stones in UTF-8 */
} BoardViewStyle;

/* What is shown besides the stones. Arrays are indexed by Point and may be NULL. */
typedef struct {
    Point last;           /* marked by ( ); POINT_NONE or POINT_PASS marks nothing */
    Point cursor;         /* marked by [ ]; POINT_NONE: there is none */
    const char *letters;  /* a character for an empty point; 0 shows nothing */
    const bool *dead;     /* stones that count as captured, in ( ) */
    const uint8_t *owner; /* the Color that each empty point counts for: x and o, or squares */
} BoardMarks;

/* Draws the board. In ASCII, Black is X, White is O and star points are +. The lines of `beside`,
 * which may be NULL, stand at the right of the board. */
void board_view_draw(const Board *board, const BoardMarks *marks, BoardViewStyle style,
                     const char *beside, StrBuf *out);
