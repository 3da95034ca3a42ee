/* The moves of both players, and the end of the game. */
#include <ctype.h>
#include <string.h>

#include "base/thread.h"
#include "go/move_fault.h"
#include "protocol/console/console_private.h"

/* Scores the game that two passes have ended. */
static void end_game(Console *console, StrBuf *out) {
    Error err = {0};
    if (session_score(console->session, &console->score, &err)) {
        strbuf_addf(out, "The game is over, but it cannot be scored: %s\n", err.message);
        return;
    }
    console->shows_score = true;
    strbuf_add(out, "The game is over. ");
    console_add_result(console, out);
    strbuf_add(out, "\n");
    console_add_legend(console, out);
    if (!game_is_settled(console_position(console)))
        strbuf_add(out, "; stones in ( ) are dead. If a stone is marked wrongly, type \"dead\" and "
                        "its point");
    strbuf_add(out, ". \"undo\" plays on, \"new\" begins another game, \"quit\" leaves.\n");
}

void console_after_change(Console *console, StrBuf *out) {
    console_forget_view(console);
    if (!console->resigned && game_is_passed_out(console_position(console))) end_game(console, out);
    console_save_again(console, out);
}

Status console_search(Console *console, const SessionSearch *call, const Report **report,
                      Error *err) {
    SessionSearch search = *call;
    search.color = console_position(console)->mover;
    search.stop = console->stop;
    search.on_report = console->on_report;
    search.context = console->context;
    search.interval_seconds = 0.25;
    return session_run(console->session, &search, report, err);
}

/* Returns whether the search was stopped in a way after which its move must not be played: by a
 * request to stop or, if the program plays both sides, by ConsoleSetup.stop. */
static bool is_stopped(const Console *console) {
    bool interrupted = console->stop && atomic_load_explicit(console->stop, memory_order_relaxed);
    return stop_requested() || (interrupted && !console_has_person(console));
}

Status console_engine_move(Console *console, StrBuf *out, Error *err) {
    const Position *now = console_position(console);
    const Report *report;
    Color color = now->mover;
    Status status = console_search(console, &(SessionSearch){.for_move = true}, &report, err);
    if (!status && is_stopped(console))
        status = fail(err, ERR_STOPPED, "stopped; a game that has a file is saved");
    if (status) return status;
    Point point = session_pick(console->session, report);
    bool asked = console->person[color]; /* a person asked for a move, not for resignation */
    if (session_resigns(console->session, report) && !asked && !console->plays_on) {
        console->resigned = color;
        console_after_change(console, out);
        strbuf_addf(out, "%s (%s) resigns. %s wins. \"undo\" plays on.\n",
                    console_color_name(color), console->engine,
                    console_color_name(color_other(color)));
        return OK;
    }
    status = session_play(console->session, (Move){point, color}, err);
    if (status) return status;
    strbuf_addf(out, "%s (%s) ", console_color_name(color), console->engine);
    if (point == POINT_PASS)
        strbuf_add(out, "passes.\n");
    else
        strbuf_addf(out, "plays %s.\n", point_text(point, now->board.height).text);
    if (point == POINT_PASS && !console_is_over(console) && console->person[color_other(color)])
        strbuf_add(out, "If nothing is left to play, pass too; this ends the game.\n");
    console_after_change(console, out);
    return OK;
}

bool console_read_point(const Console *console, const char *word, Point *point, StrBuf *out) {
    const Board *board = &console_position(console)->board;
    size_t digits = *word ? strspn(word + 1, "0123456789") : 0;
    if (!point_parse(word, board->width, board->height, point, NULL)) return true;
    if (!isalpha((unsigned char)*word) || !digits || word[1 + digits]) {
        strbuf_addf(out, "\"%s\" is not a point. A point is a letter and a number, such as D4.\n",
                    word);
    } else if (toupper((unsigned char)*word) == 'I' && board->width > 8) {
        strbuf_add(out, "There is no column I: after H comes J, so that nobody takes I for 1.\n");
    } else {
        char last = *point_text(point_at(board->width - 1, 0), board->height).text;
        strbuf_addf(out,
                    "\"%s\" is not on this board, which has the columns A to %c%s and the rows "
                    "1 to %d.\n",
                    word, last, last > 'I' ? " (without I)" : "", board->height);
    }
    return false;
}

ConsoleEffect console_play(Console *console, Point point, StrBuf *out) {
    const Position *now = console_position(console);
    Error err = {0};
    Color color = now->mover;
    PointText text = point_text(point, now->board.height);
    if (console_is_over(console)) {
        strbuf_add(out, "The game is over. \"undo\" plays on, \"new\" begins another game.\n");
        return CONSOLE_SAME;
    }
    MoveFault fault = move_fault(now, point);
    if (fault) {
        strbuf_addf(out, "%s %s.\n", text.text, move_fault_text(fault));
        return CONSOLE_SAME;
    }
    if (session_play(console->session, (Move){point, color}, &err)) {
        strbuf_addf(out, "%s cannot be played: %s\n", text.text, err.message);
        return CONSOLE_SAME;
    }
    console_after_change(console, out);
    return CONSOLE_CHANGED;
}
