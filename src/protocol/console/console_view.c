/* The drawing: the board, and beside it the state of the game. */
#include <string.h>

#include "base/options/wrap.h"
#include "base/plural.h"
#include "protocol/console/console_private.h"

static int prisoners_of(const Console *console, Color color) {
    return console_position(console)->board.captured[color_other(color)];
}

static void add_player(const Console *console, Color color, StrBuf *out) {
    int prisoners = prisoners_of(console, color);
    strbuf_addf(out, "%s ", console_color_name(color));
    board_view_add_sign(color == COLOR_BLACK ? BOARD_SIGN_BLACK : BOARD_SIGN_WHITE, console->style,
                        out);
    strbuf_addf(out, "  %s\n         %d prisoner%s\n",
                console->person[color] ? "person" : console->engine, prisoners,
                plural_ending(prisoners));
}

void console_add_legend(const Console *console, StrBuf *out) {
    board_view_add_sign(BOARD_SIGN_BLACK_AREA, console->style, out);
    strbuf_add(out, " is Black's area, ");
    board_view_add_sign(BOARD_SIGN_WHITE_AREA, console->style, out);
    strbuf_add(out, " is White's");
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

/* Everything that stands beside the board. */
static void add_beside(const Console *console, StrBuf *out) {
    const Position *now = console_position(console);
    strbuf_addf(out, "\n%dx%d, komi %g\n%s rules\n\n", now->board.width, now->board.height,
                (double)now->rules.komi, console_rules_name(&now->rules).text);
    add_player(console, COLOR_BLACK, out);
    add_player(console, COLOR_WHITE, out);
    strbuf_add(out, "\n");
    add_last_move(now, out);
    add_situation(console, out);
    if (console->hint.length) strbuf_addf(out, "\n%s", strbuf_text(&console->hint));
}

/* Replaces the '\n' at the end by a full stop, if there is none yet, and a blank. */
static void end_sentence(StrBuf *text) {
    if (!text->length || text->failed) return;
    text->text[--text->length] = 0;
    bool ended = text->length && text->text[text->length - 1] == '.';
    strbuf_add(text, ended ? " " : ". ");
}

/* Adds the text that stands below a board if there is no room beside the board. */
static void add_below(const Console *console, int columns, StrBuf *out) {
    StrBuf text = {0};
    add_last_move(console_position(console), &text);
    end_sentence(&text);
    add_situation(console, &text);
    end_sentence(&text);
    strbuf_addf(&text, "Prisoners: Black %d, White %d. Komi %g.\n%s",
                prisoners_of(console, COLOR_BLACK), prisoners_of(console, COLOR_WHITE),
                (double)console_position(console)->rules.komi, strbuf_text(&console->hint));
    wrap_text(strbuf_text(&text), columns, out);
    strbuf_clear(&text);
}

typedef enum { TEXT_BESIDE, TEXT_BELOW, TEXT_NONE } TextPlace;

static void draw_with(const Console *console, const ConsoleRoom *room, BoardViewStyle style,
                      TextPlace place, StrBuf *out) {
    const Position *now = console_position(console);
    StrBuf beside = {0};
    bool areas = console->shows_score;
    const BoardMarks marks = {.last = areas ? POINT_NONE : position_last_move(now, 0).point,
                              .cursor = room->cursor,
                              .letters = console->letters,
                              .dead = areas ? console->score.dead : NULL,
                              .owner = areas ? console->score.owner : NULL};
    if (place == TEXT_BESIDE) add_beside(console, &beside);
    board_view_draw(&now->board, &marks, style, strbuf_text(&beside), out);
    if (place == TEXT_BELOW) add_below(console, room->columns, out);
    strbuf_clear(&beside);
}

/* Whether the text, whose lines end with '\n', fits into the room. */
static bool fits(const char *text, const ConsoleRoom *room) {
    int rows = 0;
    for (; *text; rows++) {
        size_t length = strcspn(text, "\n");
        if (room->columns && wrap_columns(text, length) > room->columns) return false;
        text += length + (text[length] == '\n');
    }
    return !room->rows || rows <= room->rows;
}

/* Says how large a terminal must be for the smallest drawing, two lines of an answer and the line
 * that is typed. */
static void say_room(const Console *console, const ConsoleRoom *room, StrBuf *out) {
    const Board *board = &console_position(console)->board;
    StrBuf text = {0};
    const BoardViewStyle small = {.small = true};
    strbuf_addf(&text,
                "The board does not fit here. It needs a terminal of at least %d columns and %d "
                "rows: make the window larger, or the letters smaller. ",
                board_view_columns(board, small) + 1, board_view_rows(board, small) + 3);
    if (room->columns >= board_view_columns(board, small))
        strbuf_add(&text, "Or type \"quit\" and continue with the option --lines, which needs "
                          "fewer rows.");
    wrap_text(strbuf_text(&text), room->columns, out);
    strbuf_clear(&text);
}

/* Tries drawings from the best one to the smallest. */
bool console_draw(const Console *console, const ConsoleRoom *room, StrBuf *out) {
    static const struct {
        bool small;
        TextPlace place;
    } TRIES[] = {{false, TEXT_BESIDE}, {true, TEXT_BESIDE}, {false, TEXT_BELOW},
                 {true, TEXT_BELOW},   {false, TEXT_NONE},  {true, TEXT_NONE}};
    StrBuf drawing = {0};
    bool done = false;
    for (size_t i = 0; i < sizeof TRIES / sizeof *TRIES && !done; i++) {
        BoardViewStyle style = console->style;
        style.small = TRIES[i].small;
        strbuf_reset(&drawing);
        draw_with(console, room, style, TRIES[i].place, &drawing);
        done = fits(strbuf_text(&drawing), room);
    }
    if (done)
        strbuf_add(out, strbuf_text(&drawing));
    else
        say_room(console, room, out);
    strbuf_clear(&drawing);
    return done;
}

void console_prompt(const Console *console, StrBuf *out) {
    const Position *now = console_position(console);
    if (console_is_over(console))
        strbuf_add(out, "game over> ");
    else
        strbuf_addf(out, "%s, move %d> ", console_color_name(now->mover), now->move_count + 1);
}
