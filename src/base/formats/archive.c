#define ZLIB_CONST /* zlib does not write to its input */
#include "base/formats/archive.h"

#include <errno.h>
#include <limits.h>
#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "base/formats/zip_reader.h"

enum { MAX_MEMBERS = 1000 };

struct ZipWriter {
    zipFile zip;
    int level;
    AtomicFile file;
    ZipStream stream; /* of `file` */
};

/* Reports that minizip failed. If the reason is that a write failed, the message says why. */
static Status cannot_write(const ZipWriter *writer, Error *err) {
    int error = writer->stream.error;
    return error
               ? fail(err, ERR_IO, "cannot write %s: %s", writer->file.path, strerror(error))
               : fail(err, ERR_MEMORY, "cannot write %s: no memory to pack it", writer->file.path);
}

Status zip_writer_open(const char *path, int level, ZipWriter **out, Error *err) {
    ZipWriter *writer;
    *out = NULL;
    Status status = mem_new(1, sizeof *writer, &writer, err);
    if (status) return status;
    writer->level = level;
    status = atomic_file_open(path, &writer->file, err);
    if (!status) {
        writer->stream.stream = writer->file.stream;
        zlib_filefunc64_def hooks = zip_stream_hooks(&writer->stream);
        writer->zip = zipOpen2_64(path, APPEND_STATUS_CREATE, NULL, &hooks);
        if (!writer->zip) status = cannot_write(writer, err);
    }
    if (status) {
        zip_writer_abandon(writer);
        return status;
    }
    *out = writer;
    return OK;
}

Status zip_writer_add(ZipWriter *writer, const char *name, const void *bytes, size_t count,
                      Error *err) {
    zip_fileinfo info = {
        .tmz_date = {.tm_mday = 1,
                     .tm_year = 1980}}; /* fixed, so that the same content gives the same bytes */
    int code = zipOpenNewFileInZip64(writer->zip, name, &info, NULL, 0, NULL, 0, NULL, Z_DEFLATED,
                                     writer->level, count > 0xfffffff0u);
    const char *at = bytes;
    for (size_t left = count; code == ZIP_OK && left;) {
        unsigned step = left > (1u << 30) ? 1u << 30 : (unsigned)left;
        code = zipWriteInFileInZip(writer->zip, at, step);
        at += step;
        left -= step;
    }
    if (code == ZIP_OK) code = zipCloseFileInZip(writer->zip);
    return code == ZIP_OK ? OK : cannot_write(writer, err);
}

Status zip_writer_commit(ZipWriter *writer, Error *err) {
    int code = zipClose(writer->zip, NULL);
    writer->zip = NULL;
    Status status =
        code == ZIP_OK ? atomic_file_commit(&writer->file, err) : cannot_write(writer, err);
    zip_writer_abandon(writer);
    return status;
}

void zip_writer_abandon(ZipWriter *writer) {
    if (!writer) return;
    if (writer->zip) zipClose(writer->zip, NULL);
    atomic_file_abandon(&writer->file); /* does nothing after a commit */
    free(writer);
}

Status zip_read(const char *path, size_t limit_bytes, Arena *arena, ZipMember **members, int *count,
                Error *err) {
    *members = NULL;
    *count = 0;
    ZipReader reader;
    unz_global_info64 info;
    Status status = zip_reader_open(path, &reader, err);
    if (status) return status;
    if (unzGetGlobalInfo64(reader.zip, &info) != UNZ_OK || info.number_entry > MAX_MEMBERS)
        status =
            fail(err, ERR_SYNTAX, "%s: the list of members is broken or has more than %d members",
                 path, MAX_MEMBERS);
    size_t left = limit_bytes;
    if (!status) {
        *members =
            arena_alloc(arena, mem_array_bytes((size_t)info.number_entry + 1, sizeof **members));
        if (!*members)
            status = fail(err, ERR_MEMORY, "%s: no memory for the list of members", path);
    }
    for (int i = 0; !status && i < (int)info.number_entry; i++) {
        int code = i ? unzGoToNextFile(reader.zip) : unzGoToFirstFile(reader.zip);
        if (code != UNZ_OK)
            status = fail(err, ERR_SYNTAX, "%s: the list of members is broken", path);
        else
            status = zip_reader_unpack(&reader, &left, arena, &(*members)[i], err);
        if (!status) (*count)++;
    }
    return zip_reader_close(&reader, status, err);
}

static bool is_wanted(const ZipPeek *peek, const char *name) {
    size_t length = strlen(peek->name);
    return strncmp(name, peek->name, length) == 0 &&
           (!name[length] || strcmp(name + length, peek->ending) == 0);
}

/* Sets the sizes in `peek`, and makes the wanted member the current one of minizip. Returns false
 * if there is no such member. */
static bool find_member(unzFile zip, ZipPeek *peek) {
    char name[256];
    unz64_file_pos place;
    bool found = false;
    int code = unzGoToFirstFile(zip);
    peek->total_size = 0;
    for (int i = 0; i < MAX_MEMBERS && code == UNZ_OK; i++) {
        unz_file_info64 info;
        if (unzGetCurrentFileInfo64(zip, &info, name, sizeof name, NULL, 0, NULL, 0) != UNZ_OK)
            return false;
        peek->total_size += info.uncompressed_size;
        if (!found && info.size_filename < sizeof name && is_wanted(peek, name)) {
            peek->size = info.uncompressed_size;
            found = unzGetFilePos64(zip, &place) == UNZ_OK;
        }
        code = unzGoToNextFile(zip);
    }
    return found && unzGoToFilePos64(zip, &place) == UNZ_OK;
}

Status zip_peek(const char *path, ZipPeek *peek, Error *err) {
    ZipReader reader;
    Status status = zip_reader_open(path, &reader, err);
    if (status) return status;
    int code = UNZ_OK;
    if (!find_member(reader.zip, peek)) {
        status = fail(err, ERR_SYNTAX, "%s: %s is missing", path, peek->name);
    } else if ((code = unzOpenCurrentFile(reader.zip)) != UNZ_OK) {
        status = zip_reader_cannot_unpack(code, path, peek->name, err);
    } else {
        peek->count = peek->size < peek->capacity ? (size_t)peek->size : peek->capacity;
        int got = unzReadCurrentFile(reader.zip, peek->bytes, (unsigned)peek->count);
        unzCloseCurrentFile(reader.zip);
        if (got < 0 || (size_t)got != peek->count)
            status = fail(err, ERR_SYNTAX, "%s: %s is cut short", path, peek->name);
    }
    return zip_reader_close(&reader, status, err);
}

static Status gzip_failure(gzFile file, const char *path, Error *err) {
    int code, error = errno;
    (void)gzerror(file, &code);
    if (code == Z_ERRNO) return fail(err, ERR_IO, "cannot read %s: %s", path, strerror(error));
    if (code == Z_MEM_ERROR) return fail(err, ERR_MEMORY, "no memory to unpack %s", path);
    return fail(err, ERR_SYNTAX, "%s: the compressed data are broken", path);
}

Status gzip_read(const char *path, GzipLimit limit, Arena *arena, char **bytes, size_t *count,
                 Error *err) {
    gzFile file = gzopen(path, "rb");
    if (!file) return fail(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
    char *buffer = NULL;
    size_t capacity = 0, used = 0;
    Status status = OK;
    for (;;) {
        status = mem_grow(&buffer, &capacity, used + 65536, 1, err);
        if (status) break;
        int got = gzread(file, buffer + used, 65536);
        if (got < 0) status = gzip_failure(file, path, err);
        if (got <= 0) break;
        used += (size_t)got;
        z_off_t read = gzoffset(file);
        if (read < 0) read = 0; /* a pipe: only the fixed part of the limit counts */
        size_t max_bytes = limit.bytes + limit.ratio * (size_t)read;
        if (used > max_bytes)
            status = fail(
                err, ERR_SYNTAX,
                "%s unpacks to more than %zu bytes, too many for a file of which only %lld bytes "
                "were read",
                path, max_bytes, (long long)read);
        if (status) break;
    }
    if (gzclose(file) != Z_OK && !status) status = fail(err, ERR_SYNTAX, "%s is cut short", path);
    if (!status) {
        *bytes = arena_copy(arena, buffer, used);
        *count = used;
        if (!*bytes) status = fail(err, ERR_MEMORY, "no memory for %zu bytes of %s", used, path);
    }
    free(buffer);
    return status;
}

/* Unpacks until `stream` has no more input. */
static Status inflate_all(z_stream *stream, size_t limit_bytes, char **buffer, size_t *used,
                          Error *err) {
    size_t capacity = 0;
    int code = Z_OK;
    while (code != Z_STREAM_END || stream->avail_in) {
        if (code == Z_STREAM_END && inflateReset(stream) != Z_OK)
            return fail(err, ERR_SYNTAX, "the compressed data are broken");
        Status status = mem_grow(buffer, &capacity, *used + 65536, 1, err);
        if (status) return status;
        stream->next_out = (Bytef *)*buffer + *used;
        stream->avail_out = 65536;
        code = inflate(stream, Z_NO_FLUSH);
        *used += 65536 - stream->avail_out;
        if (*used > limit_bytes)
            return fail(err, ERR_SYNTAX, "it unpacks to more than %zu bytes", limit_bytes);
        if (code == Z_MEM_ERROR) return fail(err, ERR_MEMORY, "no memory to unpack");
        if (code == Z_BUF_ERROR || (code == Z_OK && !stream->avail_in && stream->avail_out))
            return fail(err, ERR_SYNTAX, "the compressed data are cut short");
        if (code != Z_OK && code != Z_STREAM_END)
            return fail(err, ERR_SYNTAX, "the compressed data are broken");
    }
    return OK;
}

Status gzip_unpack(const void *packed, size_t packed_bytes, size_t limit_bytes, Arena *arena,
                   char **bytes, size_t *count, Error *err) {
    if (!packed_bytes || packed_bytes > UINT_MAX)
        return fail(err, ERR_SYNTAX, "the compressed data have %zu bytes, 1 to %u were expected",
                    packed_bytes, UINT_MAX);
    z_stream stream = {.next_in = packed, .avail_in = (uInt)packed_bytes};
    char *buffer = NULL;
    size_t used = 0;
    if (inflateInit2(&stream, MAX_WBITS + 16) != Z_OK)
        return fail(err, ERR_MEMORY, "no memory to unpack");
    Status status = inflate_all(&stream, limit_bytes, &buffer, &used, err);
    inflateEnd(&stream);
    if (!status) {
        *bytes = arena_copy(arena, buffer ? buffer : "", used);
        *count = used;
        if (!*bytes) status = fail(err, ERR_MEMORY, "no memory for %zu bytes", used);
    }
    free(buffer);
    return status;
}
