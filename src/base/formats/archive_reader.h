/* archive_reader.h - reads the files in an archive one after the other, so that an archive may be
 * much larger than the memory. Archives are .zip, .tar, .tar.gz and .tgz files. A single compressed
 * file (.gz) is read as an archive with one member. Call archive_reader_open(), then
 * archive_reader_next() until `*done`, then archive_reader_close(). Threading: confined. */
#pragma once
#include "base/formats/archive.h"

typedef struct ArchiveReader ArchiveReader; /* opaque */

/* Whether the path ends in .zip, .tar, .tar.gz, .tgz or .gz. The file itself is not looked at. */
bool archive_reader_can_read(const char *path);

typedef struct {
    size_t member_bytes; /* a member that unpacks to more is an error */
    /* Returns whether a member with this name is wanted; the others are skipped. NULL means that
     * all are wanted. The file in a .gz is always wanted. */
    bool (*is_wanted)(const char *name);
} ArchiveReaderSetup;
/* ERR_SYNTAX: the path has another ending, or a .zip is no zip archive or has a damaged list of
 * members. ERR_IO: the file cannot be read. */
MUST_USE Status archive_reader_open(const char *path, const ArchiveReaderSetup *setup,
                                    ArchiveReader **out, Error *err);
/* Reads the next wanted member into `*out`, which is valid until the next call, and which has a 0
 * behind its last byte. Sets `*done` to true if there are no more members. After a failure the next
 * call reads the member after the damaged member. If the archive cannot be read any further, the
 * next call sets `*done` instead.
 *   ERR_SYNTAX: a member is damaged or is larger than `member_bytes`; a name of more than 255 bytes
 *   is in a .zip; or the archive is damaged, is cut short, or unpacks to more than 64 MiB plus 200
 *   times its own size.
 *   ERR_IO: the file cannot be read. */
MUST_USE Status archive_reader_next(ArchiveReader *reader, ZipMember *out, bool *done, Error *err);
/* Returns the offset in the file at which it is being read. This is only an estimate of how much of
 * the archive has been read: a .zip is not read in the order of its bytes, and for a .gz the offset
 * stays 0. */
int64_t archive_reader_offset(const ArchiveReader *reader);
void archive_reader_close(ArchiveReader *reader); /* NULL is fine */
