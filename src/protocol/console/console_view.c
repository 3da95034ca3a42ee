/* The drawing: the board, and beside it the state of the game. */
#include "protocol/console/console_private.h"

static void add_player(const Console *console, Color color, StrBuf *out) {
    const Position *now = console_position(console);
    bool fancy = console->style == BOARD_VIEW_UNICODE;
    const char *stone = color == COLOR_BLACK ? fancy ? "\u25cf" : "X" : fancy ? "\u25cb" : "O";
    int prisoners = now->board.captured[color_other(color)];
    strbuf_addf(out, "%s %s  %s\n         %d prisoner%s\n", console_color_name(color), stone,
                console->person[color] ? "person" : console->engine, prisoners,
                prisoners == 1 ? "" : "s");
}

static void add_last_move(const Position *now, StrBuf *out) {
    Move last = position_last_move(now, 0);
    if (last.point == POINT_NONE)
        strbuf_add(out, "No move yet\n");
    else
        strbuf_addf(out, "Move %d: %s %s\n", now->move_count, console_color_name(last.color),
                    point_text(last.point, now->board.height).text);
}

static void add_situation(const Console *console, StrBuf *out) {
    const Position *now = console_position(console);
    if (console->shows_score && !console->score.final)
        strbuf_addf(out, "Estimate: %s\n",
                    console_lead_text(-(double)console->score.white_score).text);
    if (console_is_over(console))
        console_add_result(console, out);
    else
        strbuf_addf(out, "%s to move", console_color_name(now->mover));
    strbuf_add(out, "\n");
}

void console_draw(const Console *console, Point cursor, StrBuf *out) {
    const Position *now = console_position(console);
    StrBuf beside = {0};
    bool areas = console->shows_score;
    const BoardMarks marks = {.last = areas ? POINT_NONE : position_last_move(now, 0).point,
                              .cursor = cursor,
                              .letters = console->letters,
                              .dead = areas ? console->score.dead : NULL,
                              .owner = areas ? console->score.owner : NULL};
    strbuf_addf(&beside, "\n%dx%d, komi %g\n%s rules\n\n", now->board.width, now->board.height,
                (double)now->rules.komi, console_rules_name(&now->rules).text);
    add_player(console, COLOR_BLACK, &beside);
    add_player(console, COLOR_WHITE, &beside);
    strbuf_add(&beside, "\n");
    add_last_move(now, &beside);
    add_situation(console, &beside);
    if (console->hint.length) strbuf_addf(&beside, "\n%s", strbuf_text(&console->hint));
    board_view_draw(&now->board, &marks, console->style, strbuf_text(&beside), out);
    strbuf_clear(&beside);
}

void console_prompt(const Console *console, StrBuf *out) {
    const Position *now = console_position(console);
    if (console_is_over(console))
        strbuf_add(out, "game over> ");
    else
        strbuf_addf(out, "%s, move %d> ", console_color_name(now->mover), now->move_count + 1);
}
