/* archive.h - zip archives (minizip), and what gzip packed (gzip_writer.h writes it), with bounds
 * that a hostile file cannot pass. Threading: confined. */
#pragma once
#include "base/error.h"
#include "base/memory.h"
#include <stdint.h>

typedef struct ZipWriter ZipWriter;
/* Written beside, flushed, renamed by zip_writer_commit(). Deflated with `level` 0..9. */
MUST_USE Status zip_writer_open(const char *path, int level, ZipWriter **out, Error *err);
MUST_USE Status zip_writer_add(ZipWriter *writer, const char *name, const void *bytes, size_t count,
                               Error *err);
MUST_USE Status zip_writer_commit(ZipWriter *writer, Error *err); /* frees */
void zip_writer_abandon(ZipWriter *writer);                       /* frees; NULL is fine */

typedef struct {
    char *name;
    unsigned char *bytes;
    size_t count;
} ZipMember;
/* All members, checked by their CRC; together at most limit_bytes unpacked. In `arena`. */
MUST_USE Status zip_read(const char *path, size_t limit_bytes, Arena *arena, ZipMember **members,
                         int *count, Error *err);

/* The start of the first member whose name is `name`, with `ending` or without, and how many bytes
 * it has in all; the rest is not unpacked. ERR_SYNTAX: there is no such member, or no archive. */
typedef struct {
    const char *name, *ending;
    size_t capacity; /* of `bytes` */
    unsigned char *bytes;
    size_t count;   /* at `bytes` */
    uint64_t whole; /* bytes of the member */
} ZipPeek;
MUST_USE Status zip_peek(const char *path, ZipPeek *peek, Error *err);

/* What a file may unpack to: so many bytes, and so many more for each byte of it that was read
 * until then, that a small file of great contents is refused early. */
typedef struct {
    size_t bytes, ratio;
} GzipLimit;
MUST_USE Status gzip_read(const char *path, GzipLimit limit, Arena *arena, char **bytes,
                          size_t *count, Error *err); /* plain files too */
