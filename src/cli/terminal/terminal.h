/* terminal.h - the terminal of a person: whether it has colors, its size, single keys, and the
 * signals that it sends. The mode of single keys is left when the program ends, even by a signal,
 * and while Ctrl-Z has stopped it. Threading: one thread calls these functions; any
 * thread may read the flag of terminal_interrupted(). */
#pragma once
#include "eval/view/board_view.h"
#include <stdatomic.h>
#include <stdio.h>

/* Whether the stream is a terminal that moves its cursor: TERM is set, and is not "dumb". */
bool terminal_moves_cursor(FILE *stream);
/* How many colors the stream has. It is 0 if terminal_moves_cursor() is false or NO_COLOR is set,
 * and otherwise 0, 8 or 256, by TERM and COLORTERM. */
int terminal_colors(FILE *stream);
bool terminal_has_unicode(void); /* by the locale: LC_ALL, LC_CTYPE or LANG */
/* How to draw boards on stdout. `ascii` leaves out lines and round stones in UTF-8. */
BoardViewStyle terminal_board_style(bool ascii);
int terminal_columns(void); /* of stdout; 80 if it is not known */
int terminal_rows(void);    /* of stdout; 24 if it is not known */

/* From now on, Ctrl-C sets the flag of terminal_interrupted(). SIGTERM and SIGHUP set this flag and
 * also request a stop (stop_requested()). With `ctrl_c_stops`, Ctrl-C does what SIGTERM does. If
 * three of these signals come without a call of terminal_clear_interrupt() between them, the third
 * ends the program immediately. */
void terminal_catch_signals(bool ctrl_c_stops);
const atomic_bool *terminal_interrupted(void);
void terminal_clear_interrupt(void);

/* Makes stdin give single keys without an echo. ERR_IO: stdin is no terminal. */
MUST_USE Status terminal_open_keys(Error *err);
void terminal_close_keys(void);
/* terminal_key() returns one of these keys, or a character (a byte) from 32 on. */
enum {
    KEY_ENTER = 10,
    KEY_BACKSPACE = 8,
    KEY_ESCAPE = 27,
    KEY_UP = 1000,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_DRAW_AGAIN, /* Ctrl-L, a new size of the terminal, or back from Ctrl-Z */
    KEY_INTERRUPT,  /* the flag of terminal_interrupted() is set */
    KEY_END,        /* Ctrl-D, the end of the input, or stop_requested() */
    KEY_OTHER       /* a key without meaning here */
};
int terminal_key(void);        /* waits for a key */
bool terminal_key_waits(void); /* whether a key was typed that terminal_key() has not returned */
