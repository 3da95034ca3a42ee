/* archive_reader.h - reads the files in an archive one after the other, so that an archive may be
 * much larger than the memory: .zip, .tar, .tar.gz, .tgz, and single files that are compressed
 * (.gz). Call archive_reader_open(), then archive_reader_next() until `*done`, then
 * archive_reader_close(). Threading: confined. */
#pragma once
#include "base/archive.h"

typedef struct ArchiveReader ArchiveReader; /* opaque */

/* Whether the ending of the name is that of an archive that can be read. */
bool archive_reader_can_read(const char *path);

typedef struct {
    size_t member_bytes; /* a member that unpacks to more is an error */
    /* Returns whether a member with this name is wanted; the others are skipped. NULL means that
     * all are wanted. */
    bool (*is_wanted)(const char *name);
} ArchiveReaderSetup;
/* ERR_SYNTAX: the file is no such archive, or its list of members is damaged. ERR_IO: the file
 * cannot be read. */
MUST_USE Status archive_reader_open(const char *path, const ArchiveReaderSetup *setup,
                                    ArchiveReader **out, Error *err);
/* Reads the next wanted member into `*out`, which is valid until the next call, and which has a 0
 * behind its last byte. Sets `*done` to true if there is none. After a failure the next call goes
 * on with the member after the damaged one; if the archive cannot be read any further, that call
 * sets `*done`. ERR_SYNTAX: a member is damaged or larger than `member_bytes`, the archive is cut
 * short, or it unpacks to more than 64 MiB plus 200 times its own size. ERR_IO: the file cannot be
 * read. */
MUST_USE Status archive_reader_next(ArchiveReader *reader, ZipMember *out, bool *done, Error *err);
/* Returns how many bytes of the archive have been read, as far as this is known. */
int64_t archive_reader_offset(const ArchiveReader *reader);
void archive_reader_close(ArchiveReader *reader); /* NULL is fine */
