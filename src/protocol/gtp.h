/* gtp.h - the Go Text Protocol, version 2 (Farneback 2002), with KataGo's names for what goes
 * beyond it. One line in, one answer out. Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include "protocol/session.h"
#include <stdio.h>

typedef struct Gtp Gtp;
/* As session_new(). */
MUST_USE Status gtp_new(const SessionSetup *setup, const char *version, Gtp **out, Error *err);
void gtp_free(Gtp *gtp);
/* Answers one line (without its end); adds the answer with its blank line to `out`, nothing for an
 * empty line. *quit: the client says good-bye. */
void gtp_line(Gtp *gtp, const char *line, StrBuf *out, bool *quit);
/* Talks until the client quits, the input ends or the process is told to stop. Analysis streams to
 * `output` until the next line comes; in gtp_line() it ends at the limits of the set-up. ERR_IO:
 * the output takes no more. */
MUST_USE Status gtp_serve(Gtp *gtp, int input, FILE *output, Error *err);
