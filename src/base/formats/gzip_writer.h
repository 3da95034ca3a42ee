/* gzip_writer.h - a file that is written piece by piece, with or without gzip compression. The
 * bytes go to a temporary file beside `path`, which is flushed to disk and renamed at the end. Call
 * gzip_writer_open(), gzip_writer_add() for each piece, and gzip_writer_commit(). gzip_read() of
 * archive.h reads such files. Threading: confined. */
#pragma once
#include "base/error.h"
#include <stddef.h>

typedef struct GzipWriter GzipWriter;

/* `level` is 1 to 9, as in gzip, or 0 for a file without compression. */
MUST_USE Status gzip_writer_open(const char *path, int level, GzipWriter **out, Error *err);
/* If this fails, gzip_writer_commit() reports it. */
void gzip_writer_add(GzipWriter *writer, const void *bytes, size_t count);
/* Completes the file and frees the writer. On failure `path` is unchanged, and the temporary file
 * is gone. */
MUST_USE Status gzip_writer_commit(GzipWriter *writer, Error *err);
void gzip_writer_abandon(GzipWriter *writer); /* frees; NULL is fine */
