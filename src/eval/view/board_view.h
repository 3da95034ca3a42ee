/* board_view.h - draws a board for people in a terminal. It marks the last move, a cursor, dead
 * stones, areas and letters on points, and puts text beside the board. Threading: any thread. */
#pragma once
#include "base/strbuf.h"
#include "go/board.h"

/* {0} is ASCII without control sequences. */
typedef struct {
    int colors;   /* of the ANSI terminal: 0 (none), 8 or 256 */
    bool unicode; /* lines and round stones in UTF-8; needs colors, because only the color tells the
                   * stones apart */
    bool small;   /* without the numbers at the right and the letters below */
} BoardViewStyle;

/* The marks on the board. The index of the arrays is a Point; arrays may be NULL. */
typedef struct {
    Point last;           /* marked by ( ); POINT_NONE or POINT_PASS marks nothing */
    Point cursor;         /* marked by [ ]; POINT_NONE: there is none */
    const char *letters;  /* a character for an empty point; 0 shows nothing */
    const bool *dead;     /* stones that count as captured, in ( ) */
    const uint8_t *owner; /* the Color that each empty point counts for: x and o, or squares */
} BoardMarks;

/* The meanings of the signs on a board. */
typedef enum {
    BOARD_SIGN_BLACK,
    BOARD_SIGN_WHITE,
    BOARD_SIGN_BLACK_AREA, /* an empty point that counts for Black */
    BOARD_SIGN_WHITE_AREA
} BoardSign;
/* Adds a sign as it is drawn on the board, for example for a text that explains the signs. */
void board_view_add_sign(BoardSign sign, BoardViewStyle style, StrBuf *out);
/* The number of columns and of rows that the board takes, without the text beside it. */
int board_view_columns(const Board *board, BoardViewStyle style);
int board_view_rows(const Board *board, BoardViewStyle style);

/* Draws the board. In ASCII, Black is X, White is O and star points are +. The lines of `beside`,
 * which may be NULL, stand at the right of the board. */
void board_view_draw(const Board *board, const BoardMarks *marks, BoardViewStyle style,
                     const char *beside, StrBuf *out);
