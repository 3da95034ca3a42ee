/* play_screen.h - a game between a person and the program in a terminal, with single keys and a
 * board that is drawn in place. Threading: confined. */
#pragma once
#include "protocol/console/console.h"

/* Does what play_lines() does. Besides typed words there are the arrow keys, which move a cursor,
 * and Enter, which plays there. `greeting` is shown at first. ERR_IO: stdin is no terminal. */
MUST_USE Status play_screen(Console *console, const char *greeting, Error *err);
