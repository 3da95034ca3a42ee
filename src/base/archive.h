/* archive.h - zip archives (by minizip) and gzip files (by zlib). Limits protect against files that
 * unpack to far more than they should. Use: zip_writer_open(), zip_writer_add() for each member,
 * zip_writer_commit(); or zip_read() for a whole archive, zip_peek() for the start of one member.
 * gzip_writer.h writes gzip files. Threading: confined. */
#pragma once
#include "base/error.h"
#include "base/memory.h"
#include <stdint.h>

typedef struct ZipWriter ZipWriter;
/* Begins an archive in a temporary file beside `path`. zip_writer_commit() flushes it to disk and
 * renames it. `level`: compression, 0 to 9. */
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
/* Reads all members and checks their CRCs. They live in `arena` and may unpack to limit_bytes at
 * most, all together. */
MUST_USE Status zip_read(const char *path, size_t limit_bytes, Arena *arena, ZipMember **members,
                         int *count, Error *err);

/* A request for the start of the first member whose name is `name`, or `name` and `ending`. */
typedef struct {
    const char *name, *ending;
    size_t capacity;      /* of `bytes` */
    unsigned char *bytes; /* the caller's memory */
    size_t count;         /* set: how many bytes were written to `bytes` */
    uint64_t size;        /* set: how many bytes the whole member has */
} ZipPeek;
/* Unpacks no more than that. ERR_SYNTAX: there is no such member, or the file is no archive. */
MUST_USE Status zip_peek(const char *path, ZipPeek *peek, Error *err);

/* How much a file may unpack to: `bytes`, and `ratio` more for each byte of the file read so far. A
 * small file with a huge content is thus refused early. */
typedef struct {
    size_t bytes, ratio;
} GzipLimit;
/* Reads and unpacks a file into `arena`. A file that is not packed is read as it is. */
MUST_USE Status gzip_read(const char *path, GzipLimit limit, Arena *arena, char **bytes,
                          size_t *count, Error *err);
