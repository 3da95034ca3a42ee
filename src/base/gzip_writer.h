/* gzip_writer.h - a file that is written piece by piece, packed or plain: beside its place, flushed
 * and renamed at the end. Threading: confined. */
#pragma once
#include "base/error.h"
#include <stddef.h>

typedef struct GzipWriter GzipWriter;

/* `level`: 1 to 9 as in gzip; 0: plain. */
MUST_USE Status gzip_writer_open(const char *path, int level, GzipWriter **out, Error *err);
void gzip_writer_add(GzipWriter *writer, const void *bytes,
                     size_t count); /* a failure is told at the end */
/* Frees. On failure `path` is as before, and nothing is left beside it. */
MUST_USE Status gzip_writer_commit(GzipWriter *writer, Error *err);
void gzip_writer_abandon(GzipWriter *writer); /* frees; NULL is fine */
