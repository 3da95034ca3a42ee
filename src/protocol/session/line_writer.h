/* line_writer.h - writes lines on a thread of its own, so that those who have something to tell do
 * not wait for a client that is still sending and reads nothing. Works on pipes, files and
 * terminals. Threading: put() is shared; one thread makes, finishes and frees. */
#pragma once
#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct LineWriter LineWriter;
/* `descriptor` stays the caller's. */
MUST_USE Status line_writer_new(int descriptor, LineWriter **out, Error *err);
/* Takes a copy of the line, which has no end; waits only where a quarter of a gigabyte waits
 * already. false: nobody reads any more, the process was told to stop, or memory is out. */
bool line_writer_put(LineWriter *writer, const char *text, size_t length);
/* Waits until all is written. ERR_IO: nobody reads any more; ERR_STOPPED: the process was told to
 * stop, and what the client did not take at once is lost. Nothing is put afterwards. */
MUST_USE Status line_writer_finish(LineWriter *writer, Error *err);
void line_writer_free(LineWriter *writer); /* NULL is fine */
