/* The loop of run_screen():
 *   1. While it is the engine's turn, it moves. If it plays both sides, a key makes it pause.
 *   2. The screen is drawn: the board, below it the last answer, and the line that is typed. An
 *      answer with too many lines is shown alone, in pages.
 *   3. A key changes the screen. Enter hands the typed line, or the point of the cursor, to the
 *      console. */
#include "cli/terminal/play_screen.h"

#include <stdio.h>
#include <string.h>

#include "base/options/wrap.h"
#include "base/thread.h"
#include "cli/terminal/play_loop.h"
#include "cli/terminal/terminal.h"

/* The contents of the screen besides the board. */
typedef struct {
    Console *console;
    StrBuf message; /* below the board */
    char input[256];
    size_t length;
    int x, y;        /* the cursor */
    bool has_cursor; /* the arrow keys were used since the last move and the last Escape */
    bool pages;      /* the message does not fit below the board and is shown alone */
    int page_row;    /* the first row of the page that is shown */
    bool pauses;     /* a person who watches has typed a key; Enter lets the game go on */
} Screen;

static Point cursor_point(const Screen *screen) {
    return screen->has_cursor ? point_at(screen->x, screen->y) : POINT_NONE;
}

static int count_rows(const StrBuf *text) {
    int rows = 0;
    for (size_t i = 0; i < text->length; i++)
        rows += text->text[i] == '\n';
    return rows;
}

/* Adds at most `max` lines of the text, from line `first` on. After each line, the rest of the
 * screen's row is erased. */
static void add_rows(const StrBuf *text, int first, int max, StrBuf *out) {
    const char *at = strbuf_text(text);
    for (int row = 0; *at && row < first + max; row++) {
        size_t length = strcspn(at, "\n");
        if (row >= first) {
            strbuf_add_bytes(out, at, length);
            strbuf_add(out, "\033[0m\033[K\n");
        }
        at += length + (at[length] == '\n');
    }
}

/* Adds the prompt and the typed line. If the line is too long, only its end is shown. */
static void add_input(const Screen *screen, int columns, StrBuf *out) {
    StrBuf prompt = {0};
    if (screen->pauses && !screen->length) strbuf_add(&prompt, "(paused; Enter: go on) ");
    console_prompt(screen->console, &prompt);
    int room = columns - wrap_columns(strbuf_text(&prompt), prompt.length);
    const char *shown = screen->input, *end = screen->input + screen->length;
    while (shown < end && wrap_columns(shown, (size_t)(end - shown)) > room)
        shown++;
    while (shown < end && ((unsigned char)*shown & 0xc0) == 0x80) /* the rest of a character */
        shown++;
    strbuf_addf(out, "%s%.*s", strbuf_text(&prompt), (int)(end - shown), shown);
    strbuf_clear(&prompt);
}

/* Draws the board into `board` and the message into `message` so that both fit. Sets screen->pages
 * if the message must be shown alone. If there is no room even for the board alone, `board` says
 * so. */
static void lay_out(Screen *screen, int columns, int rows, StrBuf *board, StrBuf *message) {
    ConsoleRoom room = {.cursor = cursor_point(screen), .columns = columns};
    wrap_text(strbuf_text(&screen->message), columns, message);
    int message_rows = count_rows(message);
    room.rows = rows - message_rows;
    screen->pages = false;
    if (room.rows > 0 && console_draw(screen->console, &room, board)) return;
    strbuf_reset(board);
    room.rows = rows;
    bool fits = console_draw(screen->console, &room, board);
    screen->pages = message_rows && (fits || count_rows(board) + message_rows > rows);
}

static const char *page_hint(const Screen *screen, const StrBuf *message, int rows) {
    return screen->page_row + rows < count_rows(message) ? "(Enter: more)"
                                                         : "(Enter: back to the board)";
}

/* Draws everything. If `last_line` is NULL, the last line of the screen is the typed line.
 * Otherwise it is `last_line`, and a message that does not fit is left out. */
static void draw(Screen *screen, const char *last_line) {
    StrBuf out = {0}, board = {0}, message = {0};
    int columns = terminal_columns() - 1, rows = terminal_rows() - 1;
    strbuf_add(&out, "\033[H");
    lay_out(screen, columns, rows, &board, &message);
    if (!screen->pages || last_line) add_rows(&board, 0, rows, &out);
    if (!screen->pages) add_rows(&message, 0, rows, &out);
    if (last_line) {
        strbuf_add(&out, last_line);
    } else if (screen->pages) {
        add_rows(&message, screen->page_row, rows, &out);
        strbuf_add(&out, page_hint(screen, &message, rows));
    } else {
        add_input(screen, columns, &out);
    }
    strbuf_add(&out, "\033[K\033[J");
    fputs(strbuf_text(&out), stdout);
    fflush(stdout);
    strbuf_clear(&message);
    strbuf_clear(&board);
    strbuf_clear(&out);
}

/* Writes the last line of the screen during a search, which has made this number of visits. */
static void say_progress(const Screen *screen, int64_t visits, char *out, size_t capacity) {
    char progress[32] = "...";
    bool watched = !console_has_person(screen->console);
    if (visits > 0) snprintf(progress, sizeof progress, "... %lld visits", (long long)visits);
    if (watched)
        snprintf(out, capacity, "Both sides: %s (a key: pause, Ctrl-C: leave)", progress);
    else
        snprintf(out, capacity, "The program thinks %s (Ctrl-C: %s)", progress,
                 console_engine_due(screen->console) ? "move now" : "stop");
    int columns = terminal_columns() - 1;
    if ((size_t)columns < capacity) out[columns] = 0;
}

/* Called during a search. Updates the last line. If a person only watches and has typed a key, ends
 * the search. */
static bool on_report(void *context, const Report *report) {
    const Screen *screen = context;
    char line[120];
    say_progress(screen, report->visits, line, sizeof line);
    printf("\r%s\033[K", line);
    fflush(stdout);
    return console_has_person(screen->console) || !terminal_key_waits();
}

/* Lets the engine move while it is its turn. */
static Status think(Screen *screen, Error *err) {
    Status status = OK;
    while (!status && console_engine_due(screen->console) && !screen->pauses) {
        char line[120];
        bool watched = !console_has_person(screen->console);
        if (watched && terminal_key_waits()) {
            screen->pauses = true;
            break;
        }
        say_progress(screen, 0, line, sizeof line);
        draw(screen, line);
        if (watched) strbuf_reset(&screen->message);
        status = console_engine_move(screen->console, &screen->message, err);
        if (!status && !stop_requested()) terminal_clear_interrupt();
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

/* The first arrow key shows the cursor at the last move. If the last move was a pass, or if there
 * is no move yet, the cursor appears in the middle of the board. */
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
    screen->page_row = 0;
    bool blank = strspn(screen->input, " ") == screen->length;
    if (blank && !screen->has_cursor) {
        screen->length = 0;
        if (console_is_over(console))
            strbuf_add(&screen->message,
                       "The game is over. \"undo\" plays on, \"new\" begins another "
                       "game, \"quit\" leaves.\n");
        else if (!screen->pauses)
            strbuf_add(&screen->message, "Type a move such as D4, or go to a point with the arrow "
                                         "keys and press Enter. \"help\" lists more.\n");
        screen->pauses = false;
        return CONSOLE_SAME;
    }
    if (blank) {
        int height = console_position(console)->board.height;
        snprintf(screen->input, sizeof screen->input, "%s",
                 point_text(cursor_point(screen), height).text);
    }
    int before = console_position(console)->move_count;
    if (console_searches(screen->input)) draw(screen, "The program thinks ... (Ctrl-C: stop)");
    ConsoleEffect effect = console_line(console, screen->input, &screen->message);
    if (console_position(console)->move_count > before) screen->has_cursor = false;
    if (console_has_person(console)) screen->pauses = false;
    screen->length = 0;
    if (!stop_requested()) terminal_clear_interrupt();
    return effect;
}

/* Changes the screen by a key. Keys that end the game or need the engine are not handled here. */
static void edit(Screen *screen, int key) {
    if (key >= KEY_UP && key <= KEY_RIGHT) {
        place_cursor(screen);
        move_cursor(screen, key);
    } else if (key == KEY_BACKSPACE) {
        while (screen->length && ((unsigned char)screen->input[--screen->length] & 0xc0) == 0x80)
            continue; /* a character in UTF-8 has several bytes */
    } else if (key == KEY_ESCAPE) {
        screen->length = 0;
        screen->has_cursor = false;
    } else if (key == KEY_DRAW_AGAIN) {
        fputs("\033[2J", stdout);
    } else if (key < KEY_UP && screen->length + 1 < sizeof screen->input) {
        screen->input[screen->length++] = (char)key;
    }
}

/* Enter turns to the next page. At the last page, and with any other key, the board comes back.
 * Returns whether this is all that the key does. */
static bool turn_page(Screen *screen, int key) {
    StrBuf message = {0};
    int rows = terminal_rows() - 1;
    bool turns = key == KEY_ENTER || key == ' ' || key == KEY_ESCAPE;
    if (key == KEY_DRAW_AGAIN) return false;
    wrap_text(strbuf_text(&screen->message), terminal_columns() - 1, &message);
    screen->page_row += rows;
    if (!turns || key == KEY_ESCAPE || screen->page_row >= count_rows(&message)) {
        strbuf_reset(&screen->message);
        screen->page_row = 0;
    }
    strbuf_clear(&message);
    return turns;
}

static Status run_screen(Screen *screen, Error *err) {
    for (;;) {
        Status status = think(screen, err);
        if (status) return status;
        draw(screen, NULL);
        int key = terminal_key();
        if (stop_requested()) return play_stopped(err);
        if (key == KEY_END || key == KEY_INTERRUPT) return OK;
        if (screen->pages && turn_page(screen, key)) continue;
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
    console_on_report(console, on_report, &screen);
    fputs("\033[2J", stdout);
    status = run_screen(&screen, err);
    console_on_report(console, NULL, NULL);
    terminal_close_keys();
    fputs("\033[0m\n", stdout);
    strbuf_clear(&screen.message);
    return play_end(status);
}
