/* The moves of both players, and the end of the game. */
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
    strbuf_add(out,
               "\nx is Black's area, o is White's; stones in ( ) are dead. If a stone is marked "
               "wrongly,\ntype \"dead\" and its point. \"undo\" plays on, \"new\" begins another "
               "game, \"quit\" ends.\n");
}

void console_after_change(Console *console, StrBuf *out) {
    console_forget_view(console);
    if (!console->resigned && game_is_passed_out(console_position(console))) end_game(console, out);
    console_save_again(console, out);
}

Status console_engine_move(Console *console, StrBuf *out, Error *err) {
    const Position *now = console_position(console);
    const Report *report;
    Color color = now->mover;
    const SessionSearch call = {.color = color, .for_move = true, .stop = console->stop};
    Status status = session_run(console->session, &call, &report, err);
    if (!status && stop_requested())
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
    if (point == POINT_PASS && !console_is_over(console))
        strbuf_add(out, "If nothing is left to play, pass too; this ends the game.\n");
    console_after_change(console, out);
    return OK;
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
