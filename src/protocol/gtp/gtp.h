/* gtp.h - the Go Text Protocol, version 2 (Farneback 2002), with KataGo's names for commands that
 * go beyond it. A program calls gtp_new(), then gtp_serve() for a whole conversation or gtp_line()
 * for each line, and gtp_free() at the end.
 * Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "protocol/session/session.h"
#include <stdio.h>

typedef struct Gtp Gtp;
/* Creates an engine with a new game. `version`, the answer to the command version, is borrowed.
 * ERR_ARGUMENT: no game can have the komi gtp.forced_komi. Other errors are those of
 * session_new(). */
MUST_USE Status gtp_new(const SessionSetup *setup, const char *version, Gtp **out, Error *err);
void gtp_free(Gtp *gtp);
/* Answers one line, which is passed without its newline. Adds the answer and a blank line to `out`,
 * or nothing if the line is empty or a comment. As in KataGo, no blank line follows two errors: the
 * id is too large, or no command follows the id. `*quit` becomes true if the command was quit. */
void gtp_line(Gtp *gtp, const char *line, StrBuf *out, bool *quit);
/* Reads lines from the descriptor `input` and writes answers to `output`, until the client quits,
 * the input ends or stop_requested() is true. In gtp_serve() an analysis goes on until the next
 * line comes; in gtp_line() it ends at the limits of the setup. ERR_IO: nobody reads the output any
 * more. */
MUST_USE Status gtp_serve(Gtp *gtp, int input, FILE *output, Error *err);
