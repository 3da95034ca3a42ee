#include "cli/play_loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "cli/terminal.h"

static Status stopped(Error *err) {
    return fail(err, ERR_STOPPED, "stopped; a game that has a file is saved");
}

static void print_board(const Console *console) {
    StrBuf out = {0};
    strbuf_add(&out, "\n");
    console_draw(console, POINT_NONE, &out);
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

/* The engine makes its moves and says them, until it is a person's turn or the game is over. */
static Status let_engine_move(Console *console, bool *moved, Error *err) {
    Status status = OK;
    for (*moved = false; !status && console_engine_due(console); *moved = true) {
        StrBuf out = {0};
        status = console_engine_move(console, &out, err);
        fputs(strbuf_text(&out), stdout);
        fflush(stdout);
        strbuf_clear(&out);
        if (!stop_requested()) terminal_clear_interrupt();
    }
    return status;
}

Status play_lines(Console *console, Error *err) {
    char *line = NULL;
    size_t capacity = 0;
    Status status = OK;
    ConsoleEffect effect = CONSOLE_CHANGED;
    while (!status && effect != CONSOLE_QUIT) {
        bool moved;
        status = let_engine_move(console, &moved, err);
        if (status) break;
        if (moved || effect == CONSOLE_CHANGED) print_board(console);
        print_prompt(console);
        if (getline(&line, &capacity, stdin) < 0) {
            bool signalled = atomic_load_explicit(terminal_interrupted(), memory_order_relaxed);
            printf("\n");
            if (signalled) status = stopped(err);
            break;
        }
        StrBuf out = {0};
        effect = console_line(console, line, &out);
        fputs(strbuf_text(&out), stdout);
        strbuf_clear(&out);
        if (!stop_requested()) terminal_clear_interrupt();
    }
    free(line);
    return status;
}

/* The contents of the screen besides the board. */
typedef struct {
    Console *console;
    StrBuf message; /* below the board */
    char input[256];
    size_t length;
    int x, y;        /* the cursor */
    bool has_cursor; /* the arrow keys were used since the last move and the last Escape */
} Screen;

static Point cursor_point(const Screen *screen) {
    return screen->has_cursor ? point_at(screen->x, screen->y) : POINT_NONE;
}

/* The number of bytes of the line that fit into `columns`. Sequences of colors take no column, and
 * a character in UTF-8 takes one. */
static size_t bytes_within(const char *line, size_t length, int columns) {
    for (size_t at = 0; at < length;) {
        if (line[at] == '\033') {
            while (at < length && line[at] != 'm')
                at++;
            at++;
            continue;
        }
        bool begins = ((unsigned char)line[at] & 0xc0) != 0x80;
        if (begins && columns-- == 0) return at;
        at++;
    }
    return length;
}

/* Adds the lines of `text`; each erases what the screen had behind it. Lines are cut to `columns`,
 * unless this is 0. */
static void add_lines(const char *text, int columns, StrBuf *out) {
    while (*text) {
        size_t length = strcspn(text, "\n");
        strbuf_add_bytes(out, text, columns ? bytes_within(text, length, columns) : length);
        strbuf_add(out, "\033[0m\033[K\n");
        text += length + (text[length] == '\n');
    }
}

static void draw(const Screen *screen, const char *last_line) {
    StrBuf out = {0}, board = {0};
    strbuf_add(&out, "\033[H");
    console_draw(screen->console, cursor_point(screen), &board);
    add_lines(strbuf_text(&board), terminal_columns() - 1, &out);
    add_lines(strbuf_text(&screen->message), 0, &out);
    if (last_line) {
        strbuf_add(&out, last_line);
    } else {
        console_prompt(screen->console, &out);
        strbuf_addf(&out, "%.*s", (int)screen->length, screen->input);
    }
    strbuf_add(&out, "\033[K\033[J");
    fputs(strbuf_text(&out), stdout);
    fflush(stdout);
    strbuf_clear(&board);
    strbuf_clear(&out);
}

static Status think(Screen *screen, Error *err) {
    Status status = OK;
    while (!status && console_engine_due(screen->console)) {
        draw(screen, "The program thinks ... (Ctrl-C: move now)");
        status = console_engine_move(screen->console, &screen->message, err);
        if (!stop_requested()) terminal_clear_interrupt();
    }
    return status;
}

static void move_cursor(Screen *screen, int key) {
    const Board *board = &console_position(screen->console)->board;
    if (screen->has_cursor) {
        screen->x += (key == KEY_RIGHT) - (key == KEY_LEFT);
        screen->y += (key == KEY_DOWN) - (key == KEY_UP);
    }
    screen->has_cursor = true;
    screen->x = (screen->x + board->width) % board->width;
    screen->y = (screen->y + board->height) % board->height;
}

/* The first arrow key shows the cursor at the last move, or in the middle of the board if that was
 * a pass or there is none. */
static void place_cursor(Screen *screen) {
    const Position *now = console_position(screen->console);
    Point last = position_last_move(now, 0).point;
    if (screen->has_cursor) return;
    screen->x = last > POINT_PASS ? point_x(last) : now->board.width / 2;
    screen->y = last > POINT_PASS ? point_y(last) : now->board.height / 2;
}

static ConsoleEffect enter(Screen *screen) {
    Console *console = screen->console;
    strbuf_reset(&screen->message);
    screen->input[screen->length] = 0;
    bool blank = strspn(screen->input, " ") == screen->length;
    if (blank && !screen->has_cursor) {
        screen->length = 0;
        strbuf_add(&screen->message, "Type a move such as D4, or go to a point with the arrow keys "
                                     "and press Enter. \"help\" lists more.\n");
        return CONSOLE_SAME;
    }
    if (blank) {
        int height = console_position(console)->board.height;
        snprintf(screen->input, sizeof screen->input, "%s",
                 point_text(cursor_point(screen), height).text);
    }
    int before = console_position(console)->move_count;
    ConsoleEffect effect = console_line(console, screen->input, &screen->message);
    if (console_position(console)->move_count > before) screen->has_cursor = false;
    screen->length = 0;
    if (!stop_requested()) terminal_clear_interrupt();
    return effect;
}

/* Changes the screen by a key that neither ends the game nor needs the engine. */
static void edit(Screen *screen, int key) {
    if (key >= KEY_UP && key <= KEY_RIGHT) {
        place_cursor(screen);
        move_cursor(screen, key);
    } else if (key == KEY_BACKSPACE) {
        screen->length -= screen->length > 0;
    } else if (key == KEY_ESCAPE) {
        screen->length = 0;
        screen->has_cursor = false;
    } else if (key == KEY_DRAW_AGAIN) {
        fputs("\033[2J", stdout);
    } else if (key < KEY_UP && screen->length + 1 < sizeof screen->input) {
        screen->input[screen->length++] = (char)key;
    }
}

static Status run_screen(Screen *screen, Error *err) {
    for (;;) {
        Status status = think(screen, err);
        if (status) return status;
        draw(screen, NULL);
        int key = terminal_key();
        if (stop_requested()) return stopped(err);
        if (key == KEY_END || key == KEY_INTERRUPT) return OK;
        bool enters = key == KEY_ENTER || (key == ' ' && !screen->length && screen->has_cursor);
        if (!enters)
            edit(screen, key);
        else if (enter(screen) == CONSOLE_QUIT)
            return OK;
    }
}

Status play_screen(Console *console, const char *greeting, Error *err) {
    Screen screen = {.console = console};
    Status status = terminal_open_keys(err);
    if (status) return status;
    strbuf_add(&screen.message, greeting);
    fputs("\033[2J", stdout);
    status = run_screen(&screen, err);
    terminal_close_keys();
    fputs("\033[0m\n", stdout);
    strbuf_clear(&screen.message);
    return status;
}
