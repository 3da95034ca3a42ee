/* play_loop.h - a game between a person and the program, line by line. Threading: confined. */
#pragma once
#include "protocol/console/console.h"

/* Prints `greeting`, reads lines from stdin until its end or "quit", and prints the board after
 * each change. Returns ERR_STOPPED after a signal. Other errors are those of the engine's
 * searches. */
MUST_USE Status play_lines(Console *console, const char *greeting, Error *err);

/* For play_lines() and play_screen(): returns ERR_STOPPED with a message for people. */
Status play_stopped(Error *err);
/* For play_lines() and play_screen(), too: turns the status with which the console ended into the
 * status that they return. If Ctrl-C ended a game in which the program plays both sides, they
 * return OK, as after "quit". */
Status play_end(Status status);
