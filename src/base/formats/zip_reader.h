/* zip_reader.h - an open zip archive, for archive.c and archive_reader.c, which read its members.
 * Call zip_reader_open(), then zip_reader_unpack() for a member that minizip has made the current
 * one, then zip_reader_close(). Threading: confined. */
#pragma once
#include "base/file.h"
#include "base/formats/zip_member.h"
#include <minizip/unzip.h>

/* The file of an archive. minizip reads and writes it through hooks, which note why a read or write
 * failed. Without them, minizip would report a failing disk in the same way as wrong bytes. */
typedef struct {
    FILE *stream;
    int error; /* errno of the first failure, or 0 */
} ZipStream;

/* minizip's functions for a file that is open already. */
zlib_filefunc64_def zip_stream_hooks(ZipStream *file);

typedef struct {
    FileReader file;
    ZipStream stream; /* of `file` */
    unzFile zip;
} ZipReader;

/* Opens an archive and checks its list of members. `path` must outlive the reader. ERR_SYNTAX: the
 * file is no archive, is cut short, or has a damaged list of members. ERR_IO: the file cannot be
 * read. */
MUST_USE Status zip_reader_open(const char *path, ZipReader *out, Error *err);
/* Closes the file. Returns `status` or, if the disk failed, ERR_IO, because minizip may have
 * reported this failure as something else. */
MUST_USE Status zip_reader_close(ZipReader *reader, Status status, Error *err);
/* Reports that minizip could not begin to unpack the member `name`; `code` is what minizip
 * returned. */
Status zip_reader_cannot_unpack(int code, const char *path, const char *name, Error *err);
/* Unpacks the current member into `arena`, with a 0 behind its last byte, checks its CRC, and
 * subtracts its size from `*left`. ERR_SYNTAX: the member has more than `*left` bytes, has a name
 * of more than 255 bytes, or is damaged. ERR_MEMORY: the member does not fit into memory. */
MUST_USE Status zip_reader_unpack(const ZipReader *reader, size_t *left, Arena *arena,
                                  ZipMember *out, Error *err);
