/* archive.h - zip archives (by minizip) and gzip files (by zlib). Limits protect against files that
 * unpack to far more than they should. To write an archive, call zip_writer_open(),
 * zip_writer_add() for each member, and zip_writer_commit(). If zip_writer_add() fails, call
 * zip_writer_abandon() instead. zip_read() reads a whole archive, and zip_peek() the start of one
 * member. gzip_writer.h writes gzip files. Threading: confined. */
#pragma once
#include "base/error.h"
#include "base/formats/zip_member.h"
#include "base/memory.h"
#include <stdint.h>

typedef struct ZipWriter ZipWriter;
/* Begins an archive in a temporary file beside `path`. zip_writer_commit() flushes this file to
 * disk and renames it to `path`. `level` is the compression level, 0 to 9. */
MUST_USE Status zip_writer_open(const char *path, int level, ZipWriter **out, Error *err);
MUST_USE Status zip_writer_add(ZipWriter *writer, const char *name, const void *bytes, size_t count,
                               Error *err);
MUST_USE Status zip_writer_commit(ZipWriter *writer, Error *err); /* frees */
void zip_writer_abandon(ZipWriter *writer);                       /* frees; NULL is fine */

/* Reads all members into `arena` and checks their CRCs. ERR_SYNTAX: the members unpack to more than
 * `limit_bytes` in total, there are more than 1,000 of them, a name has more than 255 bytes, or the
 * file is no archive or is damaged. */
MUST_USE Status zip_read(const char *path, size_t limit_bytes, Arena *arena, ZipMember **members,
                         int *count, Error *err);

/* A request for the start of one member: the first member whose name is `name`, or `name` followed
 * by `ending`. */
typedef struct {
    const char *name, *ending;
    size_t capacity;      /* of `bytes` */
    unsigned char *bytes; /* the caller's memory */
    size_t count;         /* set by zip_peek(): how many bytes it wrote to `bytes` */
    uint64_t size;        /* set by zip_peek(): how many bytes the whole member has */
    uint64_t total_size;  /* set by zip_peek(): how many bytes all members have, unpacked */
} ZipPeek;
/* Unpacks the first `capacity` bytes of the member, or all of it if it is shorter. Only the first
 * 1,000 members are looked at. ERR_SYNTAX: there is no such member, or the file is no archive or is
 * damaged. */
MUST_USE Status zip_peek(const char *path, ZipPeek *peek, Error *err);

/* How much a file may unpack to: `bytes`, plus `ratio` bytes for each byte of the file that has
 * been read so far. A small file with huge contents is thus refused early. */
typedef struct {
    size_t bytes, ratio;
} GzipLimit;
/* Reads and unpacks a file into `arena`, and adds a final 0. A file that is not compressed is read
 * as it is. ERR_SYNTAX: the file unpacks to more than the limit, or is damaged. */
MUST_USE Status gzip_read(const char *path, GzipLimit limit, Arena *arena, char **bytes,
                          size_t *count, Error *err);
/* Unpacks the bytes of a gzip file into `arena`, and adds a final 0. If the bytes are several gzip
 * files, one after the other, their contents are joined. ERR_SYNTAX: the bytes are damaged, are cut
 * short, or unpack to more than `limit_bytes`. */
MUST_USE Status gzip_unpack(const void *packed, size_t packed_bytes, size_t limit_bytes,
                            Arena *arena, char **bytes, size_t *count, Error *err);
