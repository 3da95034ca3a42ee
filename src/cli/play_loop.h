/* play_loop.h - a game between a person and the program, at a pipe or in a terminal. Threading:
 * confined. */
#pragma once
#include "protocol/console/console.h"

/* Reads lines from stdin until its end or "quit", and prints the board after each change. Returns
 * ERR_STOPPED after a signal. Other errors are those of the engine's searches. */
MUST_USE Status play_lines(Console *console, Error *err);
/* Does the same with single keys and a board that is drawn in place. Besides typed words there are
 * the arrow keys, which move a cursor, and Enter, which plays there. `greeting` is shown at first.
 * ERR_IO: stdin is no terminal. */
MUST_USE Status play_screen(Console *console, const char *greeting, Error *err);
