#include "cli/terminal/play_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options/wrap.h"
#include "base/thread.h"
#include "cli/terminal/terminal.h"

static const char WATCHED[] =
    "The program plays both sides. Type a word and Enter, such as undo or "
    "quit; Ctrl-C leaves.";

Status play_stopped(Error *err) {
    return fail(err, ERR_STOPPED, "stopped; a game that has a file is saved");
}

Status play_end(Status status) {
    return status == ERR_STOPPED && !stop_requested() ? OK : status;
}

/* The width into which lines are fitted, in columns: one column less than the terminal has, because
 * some terminals begin a new line after a character in their last column. The width is 0 (no limit)
 * if stdout is no terminal. */
static int line_columns(void) {
    return isatty(STDOUT_FILENO) ? terminal_columns() - 1 : 0;
}

/* Prints an answer, broken into lines that fit into the terminal. At a pipe, its lines stay as they
 * are. */
static void print_answer(const StrBuf *answer) {
    StrBuf out = {0};
    wrap_text(strbuf_text(answer), line_columns(), &out);
    fputs(strbuf_text(&out), stdout);
    fflush(stdout);
    strbuf_clear(&out);
}

static void print_board(const Console *console) {
    StrBuf out = {0};
    strbuf_add(&out, "\n");
    (void)console_draw(console, &(ConsoleRoom){.columns = line_columns()}, &out);
    fputs(strbuf_text(&out), stdout);
    strbuf_clear(&out);
}

static void print_prompt(const Console *console) {
    StrBuf out = {0};
    console_prompt(console, &out);
    fputs(strbuf_text(&out), stdout);
    fflush(stdout);
    strbuf_clear(&out);
}

/* Tells a person at a terminal that the answer takes a while. */
static void print_wait(const char *text) {
    StrBuf out = {0};
    if (!isatty(STDOUT_FILENO)) return;
    strbuf_add(&out, text);
    print_answer(&out);
    strbuf_clear(&out);
}

/* Lets the engine make and announce its moves until it is a person's turn or the game is over. A
 * person at a terminal who only watches can type words between the moves. */
static Status let_engine_move(Console *console, bool *moved, Error *err) {
    Status status = OK;
    for (*moved = false; !status && console_engine_due(console); *moved = true) {
        StrBuf out = {0};
        bool watched = !console_has_person(console);
        if (watched && isatty(STDIN_FILENO) && terminal_key_waits()) break;
        if (!watched)
            print_wait("The program thinks ... (Ctrl-C: move now)");
        else if (!*moved)
            print_wait(WATCHED);
        status = console_engine_move(console, &out, err);
        print_answer(&out);
        strbuf_clear(&out);
        if (!status && !stop_requested()) terminal_clear_interrupt();
    }
    return status;
}

Status play_lines(Console *console, const char *greeting, Error *err) {
    char *line = NULL;
    size_t capacity = 0;
    Status status = OK;
    ConsoleEffect effect = CONSOLE_CHANGED;
    StrBuf out = {0};
    strbuf_add(&out, greeting);
    print_answer(&out);
    while (!status && effect != CONSOLE_QUIT) {
        bool moved;
        status = let_engine_move(console, &moved, err);
        if (status) break;
        if (moved || effect == CONSOLE_CHANGED) print_board(console);
        print_prompt(console);
        if (getline(&line, &capacity, stdin) < 0) {
            bool signalled = atomic_load_explicit(terminal_interrupted(), memory_order_relaxed);
            printf("\n");
            if (signalled) status = play_stopped(err);
            break;
        }
        if (console_searches(line)) print_wait("The program searches ... (Ctrl-C: stop)");
        strbuf_reset(&out);
        effect = console_line(console, line, &out);
        print_answer(&out);
        if (!stop_requested()) terminal_clear_interrupt();
    }
    strbuf_clear(&out);
    free(line);
    return play_end(status);
}
