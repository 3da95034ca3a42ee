#include "cli/terminal/terminal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/thread.h"

/* The signal handlers read and write these variables. `line_mode` and `key_mode` are set before
 * `keys_open` becomes true, and do not change later. */
static atomic_bool interrupted, draw_again, keys_open;
static atomic_int interrupts;
static bool stops_on_ctrl_c;
static struct termios line_mode, key_mode;

bool terminal_moves_cursor(FILE *stream) {
    const char *kind = getenv("TERM");
    return isatty(fileno(stream)) == 1 && kind && *kind && strcmp(kind, "dumb") != 0;
}

/* Whether the text begins with one of the words or, if `anywhere`, contains one. NULL ends the list
 * of words. */
static bool has_word(const char *text, const char *const *words, bool anywhere) {
    for (; *words; words++) {
        const char *at = strstr(text, *words);
        if (at && (anywhere || at == text)) return true;
    }
    return false;
}

int terminal_colors(FILE *stream) {
    static const char *const MANY[] = {"256color", "direct", NULL};
    static const char *const MODERN[] = {"alacritty", "contour", "foot",        "xterm-ghostty",
                                         "rio",       "wezterm", "xterm-kitty", NULL};
    static const char *const EIGHT[] = {"xterm", "screen", "tmux",   "linux",  "rxvt",  "konsole",
                                        "gnome", "vte",    "putty",  "cygwin", "Eterm", "eterm",
                                        "st",    "mlterm", "mintty", "ansi",   "aterm", NULL};
    static const char *const NONE[] = {"mono", "-m", NULL};
    if (!terminal_moves_cursor(stream) || getenv("NO_COLOR")) return 0;
    const char *kind = getenv("TERM"), *color = getenv("COLORTERM");
    if (has_word(kind, MANY, true) || has_word(kind, MODERN, false)) return 256;
    if (color && (strcmp(color, "truecolor") == 0 || strcmp(color, "24bit") == 0)) return 256;
    if (has_word(kind, NONE, true)) return 0;
    return strstr(kind, "color") || has_word(kind, EIGHT, false) ? 8 : 0;
}

bool terminal_has_unicode(void) {
    static const char *const NAMES[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const char *value = getenv(NAMES[i]);
        if (!value || !*value) continue;
        const char *dot = strchr(value, '.');
        return dot &&
               (strncasecmp(dot + 1, "utf-8", 5) == 0 || strncasecmp(dot + 1, "utf8", 4) == 0);
    }
    return false;
}

BoardViewStyle terminal_board_style(bool ascii) {
    int colors = terminal_colors(stdout);
    return (BoardViewStyle){.colors = colors,
                            .unicode = colors && !ascii && terminal_has_unicode()};
}

int terminal_columns(void) {
    struct winsize size;
    bool known = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1;
    return known ? size.ws_col : 80;
}

int terminal_rows(void) {
    struct winsize size;
    bool known = !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_row > 1;
    return known ? size.ws_row : 24;
}

static void set_mode(const struct termios *mode) {
    if (atomic_load_explicit(&keys_open, memory_order_relaxed))
        tcsetattr(STDIN_FILENO, TCSADRAIN, mode);
}

static void end_by(int signal_number) {
    set_mode(&line_mode);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void on_interrupt(int signal_number) {
    enum { PATIENCE = 3 };
    if (signal_number != SIGINT || stops_on_ctrl_c) stop_request();
    atomic_store_explicit(&interrupted, true, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&interrupts, 1, memory_order_relaxed) + 1 >= PATIENCE)
        end_by(signal_number);
}

static void on_crash(int signal_number) {
    end_by(signal_number);
}

/* Ctrl-Z: the shell gets its own mode of the terminal back. If nobody can continue the process (its
 * group is orphaned), the system does not stop it, and it simply goes on. */
static void on_suspend(int signal_number) {
    int saved = errno;
    sigset_t set;
    set_mode(&line_mode);
    signal(signal_number, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, signal_number);
    raise(signal_number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* the process stops here */
    struct sigaction action = {.sa_handler = on_suspend};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
    set_mode(&key_mode);
    atomic_store_explicit(&draw_again, true, memory_order_relaxed);
    errno = saved;
}

static void on_continue(int signal_number) {
    int saved = errno;
    (void)signal_number;
    set_mode(&key_mode);
    atomic_store_explicit(&draw_again, true, memory_order_relaxed);
    errno = saved;
}

static void on_new_size(int signal_number) {
    (void)signal_number;
    atomic_store_explicit(&draw_again, true, memory_order_relaxed);
}

static void handle(int signal_number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, NULL);
}

void terminal_catch_signals(bool ctrl_c_stops) {
    stops_on_ctrl_c = ctrl_c_stops;
    handle(SIGINT, on_interrupt);
    handle(SIGTERM, on_interrupt);
    handle(SIGHUP, on_interrupt);
}

const atomic_bool *terminal_interrupted(void) {
    return &interrupted;
}

void terminal_clear_interrupt(void) {
    atomic_store_explicit(&interrupts, 0, memory_order_relaxed);
    atomic_store_explicit(&interrupted, false, memory_order_relaxed);
}

Status terminal_open_keys(Error *err) {
    static const int CRASHES[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
    if (tcgetattr(STDIN_FILENO, &line_mode))
        return fail(err, ERR_IO, "the input is no terminal: %s", strerror(errno));
    key_mode = line_mode;
    key_mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    key_mode.c_cc[VMIN] = 1;
    key_mode.c_cc[VTIME] = 0;
    atomic_store_explicit(&keys_open, true, memory_order_relaxed);
    for (size_t i = 0; i < sizeof CRASHES / sizeof *CRASHES; i++)
        handle(CRASHES[i], on_crash);
    handle(SIGTSTP, on_suspend);
    handle(SIGCONT, on_continue);
    handle(SIGWINCH, on_new_size);
    atexit(terminal_close_keys);
    set_mode(&key_mode);
    return OK;
}

void terminal_close_keys(void) {
    set_mode(&line_mode);
    atomic_store_explicit(&keys_open, false, memory_order_relaxed);
}

/* Reads a byte. Returns -1 if none comes within `wait_ms` or a signal interrupts the wait, and -2
 * at the end of the input. */
static int read_byte(int wait_ms) {
    struct pollfd look = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char byte;
    int ready = poll(&look, 1, wait_ms);
    if (ready <= 0) return -1;
    ssize_t count = read(STDIN_FILENO, &byte, 1);
    return count == 1 ? byte : count < 0 && errno == EINTR ? -1 : -2;
}

/* Reads what follows an ESC: the rest of "ESC [ A" or "ESC O A". Longer sequences are skipped. */
static int escape_key(void) {
    enum { REST_MS = 40 };
    int byte = read_byte(REST_MS);
    if (byte < 0) return KEY_ESCAPE;
    if (byte != '[' && byte != 'O') return KEY_OTHER;
    int first = byte = read_byte(REST_MS);
    while (byte >= 0 && (byte < '@' || byte > '~'))
        byte = read_byte(REST_MS);
    if (byte != first) return KEY_OTHER;
    return byte == 'A'   ? KEY_UP
           : byte == 'B' ? KEY_DOWN
           : byte == 'C' ? KEY_RIGHT
           : byte == 'D' ? KEY_LEFT
                         : KEY_OTHER;
}

static int key_of_byte(int byte) {
    enum { CTRL_D = 4, CTRL_L = 12, DELETE = 127 };
    if (byte == KEY_ESCAPE) return escape_key();
    if (byte == '\r' || byte == '\n') return KEY_ENTER;
    if (byte == DELETE || byte == '\b') return KEY_BACKSPACE;
    if (byte == CTRL_L) return KEY_DRAW_AGAIN;
    if (byte == CTRL_D || byte == -2) return KEY_END;
    return byte < ' ' ? KEY_OTHER : byte;
}

int terminal_key(void) {
    enum { LOOK_MS = 250 }; /* a signal just before the wait is noticed after it */
    for (;;) {
        if (stop_requested()) return KEY_END;
        if (atomic_load_explicit(&interrupted, memory_order_relaxed)) return KEY_INTERRUPT;
        if (atomic_exchange_explicit(&draw_again, false, memory_order_relaxed))
            return KEY_DRAW_AGAIN;
        int byte = read_byte(LOOK_MS);
        if (byte != -1) return key_of_byte(byte);
    }
}

bool terminal_key_waits(void) {
    struct pollfd look = {.fd = STDIN_FILENO, .events = POLLIN};
    return poll(&look, 1, 0) > 0;
}
