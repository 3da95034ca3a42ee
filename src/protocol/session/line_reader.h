/* line_reader.h - reads lines on a thread of its own, so that a running search can see that the
 * client has sent something. Works on pipes, files and terminals.
 * Threading: one thread calls line_reader_next(); any thread may read the flags. */
#pragma once
#include "base/error.h"
#include <stdatomic.h>
#include <stdbool.h>

enum { LINE_READER_MAX = 1 << 20 }; /* bytes of a line without its end */
typedef struct LineReader LineReader;
/* Starts to read `descriptor`, which the caller still owns and closes. A line that equals
 * `interrupt` ends the work for the line before it: line_reader_stopped() becomes true. This
 * happens immediately if the line before it was the last one returned, and otherwise when that line
 * is returned. The interrupt is also returned, as a line of its own. `interrupt` may be NULL. */
MUST_USE Status line_reader_new(int descriptor, const char *interrupt, LineReader **out,
                                Error *err);
void line_reader_free(LineReader *reader); /* NULL is fine */

/* Waits for a line and returns it without its end; the caller frees it. Returns NULL at the end of
 * the input, or if stop_requested(). Of a line longer than LINE_READER_MAX only the first
 * LINE_READER_MAX + 1 bytes are returned. */
char *line_reader_next(LineReader *reader);
/* Calls look(context, text) for each line that waits, until stop_requested(). A later call leaves
 * out lines for which `look` returned false. Called by the thread that calls line_reader_next();
 * `look` must not call the reader. */
void line_reader_look_ahead(LineReader *reader, bool (*look)(void *context, const char *text),
                            void *context);
/* True while a line can be read without waiting, or after the end of the input. */
const atomic_bool *line_reader_input_ready(const LineReader *reader);
/* True after `interrupt` or a signal to stop: the work for the line returned last must end. */
const atomic_bool *line_reader_stopped(const LineReader *reader);
