/* A row of the drawing consists of
 *     its number, a separator and a sign for each point, a last separator, its number
 * A mark replaces the two separators beside the sign of its point. */
#include "eval/view/board_view.h"

#include <string.h>

#include "go/drawing.h"

typedef struct {
    const Board *board;
    const BoardMarks *marks;
    BoardViewStyle style;
    StrBuf *out;
} View;

typedef enum { WOOD, CURSOR, LAST, DEAD, LETTER, INK, SNOW, GRID } Paint;
/* The number of a paint in terminals with 256 colors and with 8 colors. */
static const struct {
    int of_256, of_8;
} PAINTS[] = {[WOOD] = {179, 3},   [CURSOR] = {80, 6}, [LAST] = {215, 1}, [DEAD] = {138, 5},
              [LETTER] = {113, 2}, [INK] = {16, 0},    [SNOW] = {231, 7}, [GRID] = {94, 0}};

static Point point_or_none(const View *view, int x, int y) {
    return x >= 0 && x < view->board->width ? point_at(x, y) : POINT_NONE;
}

static bool is_dead(const View *view, Point point) {
    return view->marks->dead && view->marks->dead[point];
}

static bool is_last(const View *view, Point point) {
    return point > POINT_PASS && point == view->marks->last;
}

static bool is_cursor(const View *view, Point point) {
    return point > POINT_PASS && point == view->marks->cursor;
}

/* Returns the mark between the points `left` and `right`, or 0 if there is none. The cursor takes
 * precedence over the last move, and the last move over dead stones. */
static char separator_mark(const View *view, Point left, Point right) {
    if (is_cursor(view, left) || is_cursor(view, right)) return is_cursor(view, left) ? ']' : '[';
    if (is_last(view, left) || is_last(view, right)) return is_last(view, left) ? ')' : '(';
    if (right != POINT_NONE && is_dead(view, right)) return '(';
    return left != POINT_NONE && is_dead(view, left) ? ')' : 0;
}

/* Terminals with 8 colors show white as light grey; only bold white is white. */
static void set_color(const View *view, Paint background, Paint foreground) {
    if (view->style.colors >= 256)
        strbuf_addf(view->out, "\033[48;5;%d;38;5;%dm", PAINTS[background].of_256,
                    PAINTS[foreground].of_256);
    else if (view->style.colors)
        strbuf_addf(view->out, "\033[%d;4%d;3%dm", foreground == SNOW, PAINTS[background].of_8,
                    PAINTS[foreground].of_8);
}

static void end_color(const View *view) {
    if (view->style.colors) strbuf_add(view->out, "\033[0m");
}

static void add_separator(const View *view, Point left, Point right) {
    char mark = separator_mark(view, left, right);
    bool line = view->style.unicode && left != POINT_NONE && right != POINT_NONE;
    set_color(view, WOOD, mark ? INK : GRID);
    if (mark)
        strbuf_addf(view->out, "%c", mark);
    else
        strbuf_add(view->out, line ? "\u2500" : " ");
}

/* Returns the crossing of lines at an empty point of a board in UTF-8. */
static const char *crossing(const Board *board, int x, int y) {
    static const char *const SIGNS[3][3] = {{"\u250c", "\u252c", "\u2510"},
                                            {"\u251c", "\u253c", "\u2524"},
                                            {"\u2514", "\u2534", "\u2518"}};
    int row = y == 0 ? 0 : y == board->height - 1 ? 2 : 1;
    int column = x == 0 ? 0 : x == board->width - 1 ? 2 : 1;
    return SIGNS[row][column];
}

static const char *stone_sign(BoardViewStyle style, Color color) {
    if (style.unicode) return "\u25cf";
    return color == COLOR_BLACK ? "X" : "O";
}

static const char *area_sign(BoardViewStyle style, Color owner) {
    if (style.unicode) return "\u25aa";
    return owner == COLOR_BLACK ? "x" : "o";
}

static const char *empty_sign(const View *view, int x, int y) {
    bool star = board_is_star(view->board, x, y), fancy = view->style.unicode;
    if (view->marks->owner) {
        Color owner = (Color)view->marks->owner[point_at(x, y)];
        if (owner == COLOR_BLACK || owner == COLOR_WHITE) return area_sign(view->style, owner);
        star = false;
    }
    if (!fancy) return star ? "+" : ".";
    return star ? "\u254b" : crossing(view->board, x, y);
}

static Paint sign_background(const View *view, Point point, bool letter) {
    return is_cursor(view, point) ? CURSOR
           : letter               ? LETTER
           : is_last(view, point) ? LAST
           : is_dead(view, point) ? DEAD
                                  : WOOD;
}

static void add_point(const View *view, int x, int y) {
    Point point = point_at(x, y);
    Color color = (Color)view->board->color[point];
    char letter = color == COLOR_EMPTY && view->marks->letters ? view->marks->letters[point] : 0;
    Color shown =
        color == COLOR_EMPTY && view->marks->owner ? (Color)view->marks->owner[point] : color;
    set_color(view, sign_background(view, point, letter != 0),
              shown == COLOR_WHITE             ? SNOW
              : shown == COLOR_BLACK || letter ? INK
                                               : GRID);
    if (letter)
        strbuf_addf(view->out, "%c", letter);
    else
        strbuf_add(view->out,
                   color == COLOR_EMPTY ? empty_sign(view, x, y) : stone_sign(view->style, color));
}

static void add_row(const View *view, int y) {
    strbuf_addf(view->out, "%2d", view->board->height - y);
    for (int x = 0; x <= view->board->width; x++) {
        add_separator(view, point_or_none(view, x - 1, y), point_or_none(view, x, y));
        if (x < view->board->width) add_point(view, x, y);
    }
    end_color(view);
    if (!view->style.small) strbuf_addf(view->out, " %-2d", view->board->height - y);
}

static void add_column_letters(const View *view) {
    strbuf_add(view->out, "  ");
    for (int x = 0; x < view->board->width; x++)
        strbuf_addf(view->out, " %c", *point_text(point_at(x, 0), view->board->height).text);
    strbuf_add(view->out, view->style.small ? " " : "    ");
}

/* Adds the next line of the text beside the board, removes blanks at the end, and ends the row. */
static void end_row(StrBuf *out, const char **beside) {
    size_t length = *beside ? strcspn(*beside, "\n") : 0;
    if (length) {
        strbuf_add(out, "  ");
        strbuf_add_bytes(out, *beside, length);
    }
    if (*beside) *beside += length + ((*beside)[length] == '\n');
    while (out->length && !out->failed && out->text[out->length - 1] == ' ')
        out->text[--out->length] = 0;
    strbuf_add(out, "\n");
}

void board_view_add_sign(BoardSign sign, BoardViewStyle style, StrBuf *out) {
    const View view = {.style = style, .out = out};
    bool black = sign == BOARD_SIGN_BLACK || sign == BOARD_SIGN_BLACK_AREA;
    bool stone = sign == BOARD_SIGN_BLACK || sign == BOARD_SIGN_WHITE;
    Color color = black ? COLOR_BLACK : COLOR_WHITE;
    set_color(&view, WOOD, black ? INK : SNOW);
    strbuf_add(out, stone ? stone_sign(style, color) : area_sign(style, color));
    end_color(&view);
}

int board_view_columns(const Board *board, BoardViewStyle style) {
    return 2 * board->width + (style.small ? 3 : 6);
}

int board_view_rows(const Board *board, BoardViewStyle style) {
    return board->height + (style.small ? 1 : 2);
}

void board_view_draw(const Board *board, const BoardMarks *marks, BoardViewStyle style,
                     const char *beside, StrBuf *out) {
    const View view = {board, marks, style, out};
    add_column_letters(&view);
    end_row(out, &beside);
    for (int y = 0; y < board->height; y++) {
        add_row(&view, y);
        end_row(out, &beside);
    }
    if (!style.small) {
        add_column_letters(&view);
        end_row(out, &beside);
    }
    while (beside && *beside) { /* a small board with a long text beside it */
        strbuf_addf(out, "%*s", board_view_columns(board, style), "");
        end_row(out, &beside);
    }
}
