/* line_writer.h - writes lines on a thread of its own, so that searches do not wait for a client
 * that sends many queries before it reads answers. Works on pipes, files and terminals.
 * Threading: any thread may call line_writer_put() and line_writer_unread(); one thread calls the
 * other functions. */
#pragma once
#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct LineWriter LineWriter;
/* The caller still owns and closes `descriptor`. */
MUST_USE Status line_writer_new(int descriptor, LineWriter **out, Error *err);
/* Copies `length` bytes of `text` and a line end to the queue. The queue has no limit, so callers
 * must watch line_writer_unread(). Returns false if the client does not read any more, if there was
 * no memory, or if stop_requested() has ended the writing. */
bool line_writer_put(LineWriter *writer, const char *text, size_t length);
/* Returns the number of bytes that were put and not written yet. Any thread may call it. */
size_t line_writer_unread(const LineWriter *writer);
/* Waits until the queue is written. No call of line_writer_put() may follow. ERR_IO: the client
 * does not read any more, or there was no memory. ERR_STOPPED: stop_requested() is true, and lines
 * that the client did not take immediately are lost. */
MUST_USE Status line_writer_finish(LineWriter *writer, Error *err);
void line_writer_free(LineWriter *writer); /* NULL is fine */
