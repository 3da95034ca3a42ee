#include "go/drawing.h"

#include <assert.h>
#include <math.h>
#include <string.h>

Status board_parse(const char *drawing, int width, int height, Board *out, Error *err) {
    Status status = board_init(out, width, height, err);
    if (status) return status;
    int index = 0;
    Board filled = *out;
    for (const char *at = drawing; *at; at++) {
        if (strchr(" \t\r\n/", *at)) continue;
        Color color = *at == '.'   ? COLOR_EMPTY
                      : *at == 'X' ? COLOR_BLACK
                      : *at == 'O' ? COLOR_WHITE
                                   : COLOR_WALL;
        if (color == COLOR_WALL)
            return fail(err, ERR_SYNTAX, "a board drawing has '.', 'X' and 'O', not '%c'", *at);
        if (index == width * height)
            return fail(err, ERR_SYNTAX, "a drawing of a %dx%d board has more than %d points",
                        width, height, index);
        filled.color[point_at(index % width, index / width)] = (uint8_t)color;
        index++;
    }
    if (index < width * height)
        return fail(err, ERR_SYNTAX, "a drawing of a %dx%d board has only %d points", width, height,
                    index);
    return board_set_all(out, filled.color)
               ? OK
               : fail(err, ERR_ILLEGAL, "a chain of the drawing has no liberty");
}

Board board_drawn(const char *drawing) {
    int points = 0, size = 2;
    for (const char *at = drawing; *at; at++)
        points += strchr(".XO", *at) != NULL;
    while (size * size < points)
        size++;
    Board board;
    Status status = board_parse(drawing, size, size, &board, NULL);
    assert(!status);
    (void)status;
    return board;
}

bool board_is_star(const Board *board, int x, int y) {
    if (board->width < 9 || board->height < 9)
        return board->width % 2 && board->height % 2 && board->width >= 7 &&
               x == board->width / 2 && y == board->height / 2;
    int dx = board->width >= 13 ? 3 : 2, dy = board->height >= 13 ? 3 : 2;
    bool on_x =
        x == dx || x == board->width - 1 - dx || (board->width % 2 && x == board->width / 2);
    bool on_y =
        y == dy || y == board->height - 1 - dy || (board->height % 2 && y == board->height / 2);
    return on_x && on_y;
}

void board_draw(const Board *board, Point marked, StrBuf *out) {
    strbuf_add(out, "   ");
    for (int x = 0; x < board->width; x++)
        strbuf_addf(out, " %c", *point_text(point_at(x, 0), board->height).text);
    strbuf_add(out, "\n");
    for (int y = 0; y < board->height; y++) {
        strbuf_addf(out, "%3d", board->height - y);
        for (int x = 0; x < board->width; x++) {
            Point point = point_at(x, y);
            bool after = x > 0 && point - 1 == marked && marked > POINT_PASS;
            const char *sign = board->color[point] == COLOR_BLACK   ? "X"
                               : board->color[point] == COLOR_WHITE ? "O"
                               : board_is_star(board, x, y)         ? "+"
                                                                    : ".";
            strbuf_addf(out, "%s%s",
                        point == marked && marked > POINT_PASS ? "("
                        : after                                ? ")"
                                                               : " ",
                        sign);
        }
        strbuf_add(out, marked > POINT_PASS && point_at(board->width - 1, y) == marked ? ")" : "");
        strbuf_addf(out, " %d\n", board->height - y);
    }
}

void position_draw(const Position *position, StrBuf *out) {
    board_draw(&position->board, position_last_move(position, 0).point, out);
    strbuf_addf(out, "%s to move, komi %g, captured: %d black, %d white, rules %s\n",
                position->mover == COLOR_BLACK ? "Black (X)" : "White (O)",
                (double)position->rules.komi, position->board.captured[COLOR_BLACK],
                position->board.captured[COLOR_WHITE], rules_words(&position->rules).text);
}
