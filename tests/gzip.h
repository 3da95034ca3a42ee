/* gzip.h - writes packed files, for tests of code that reads them. */
#pragma once
#include "base/formats/gzip_writer.h"
#include "test.h"

static inline void write_gzip(const char *path, const void *bytes, size_t count, int level) {
    GzipWriter *writer;
    EXPECT_OK(gzip_writer_open(path, level, &writer, err));
    gzip_writer_add(writer, bytes, count);
    EXPECT_OK(gzip_writer_commit(writer, err));
}
