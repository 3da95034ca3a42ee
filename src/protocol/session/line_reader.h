/* line_reader.h - reads lines on a thread of its own, so that a search can see that the client
 * wants something else. Works on pipes, files and terminals. Threading: one thread asks, any may
 * look at the flags. */
#pragma once
#include "base/error.h"
#include <stdatomic.h>
#include <stdbool.h>

enum { LINE_READER_MAX = 1 << 20 }; /* bytes of a line */
typedef struct LineReader LineReader;
/* Takes over the reading of `descriptor`, which stays the caller's. A line that is the text
 * `interrupt` (NULL: none) raises line_reader_stopped() while the line before it is at hand; it is
 * given as a line too. */
MUST_USE Status line_reader_new(int descriptor, const char *interrupt, LineReader **out,
                                Error *err);
void line_reader_free(LineReader *reader); /* NULL is fine */

/* Waits for a line and gives it without its end; free() it. NULL: the input is at its end, or the
 * process was told to stop. Of a longer line than LINE_READER_MAX so many bytes and one more are
 * given, and the rest is dropped. */
char *line_reader_next(LineReader *reader);
const atomic_bool *line_reader_waits(const LineReader *reader); /* a line waits, or the end came */
const atomic_bool *line_reader_stopped(const LineReader *reader); /* by a signal or interrupt */
