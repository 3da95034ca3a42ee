#include "base/archive.h"

#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"

enum { MAX_MEMBERS = 1000 };

struct ZipWriter {
    zipFile zip;
    int level;
    AtomicFile file; /* holds name and lock; minizip opens the same name again */
};

Status zip_writer_open(const char *path, int level, ZipWriter **out, Error *err) {
    ZipWriter *writer;
    *out = NULL;
    Status status = mem_new(1, sizeof *writer, &writer, err);
    if (status) return status;
    writer->level = level;
    status = atomic_file_open(path, &writer->file, err);
    if (!status) {
        const char *name = writer->file.temporary ? writer->file.temporary : path;
        writer->zip = zipOpen64(name, APPEND_STATUS_CREATE);
        if (!writer->zip) status = fail(err, ERR_IO, "cannot write %s", path);
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
                     .tm_year = 1980}}; /* fixed: the same content gives the same bytes */
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
    return code == ZIP_OK
               ? OK
               : fail(err, ERR_IO, "cannot write %s into %s (disk full?)", name, writer->file.path);
}

Status zip_writer_commit(ZipWriter *writer, Error *err) {
    int code = zipClose(writer->zip, NULL);
    writer->zip = NULL;
    Status status = code == ZIP_OK
                        ? atomic_file_commit(&writer->file, err)
                        : fail(err, ERR_IO, "cannot finish %s (disk full?)", writer->file.path);
    zip_writer_abandon(writer);
    return status;
}

void zip_writer_abandon(ZipWriter *writer) {
    if (!writer) return;
    if (writer->zip) zipClose(writer->zip, NULL);
    atomic_file_abandon(&writer->file); /* does nothing after a commit */
    free(writer);
}

static Status read_member(unzFile zip, const char *path, size_t *left, Arena *arena, ZipMember *out,
                          Error *err) {
    unz_file_info64 info;
    char name[256];
    if (unzGetCurrentFileInfo64(zip, &info, name, sizeof name, NULL, 0, NULL, 0) != UNZ_OK ||
        info.size_filename >= sizeof name)
        return fail(err, ERR_SYNTAX, "%s: a member's header is broken", path);
    if (info.uncompressed_size > *left)
        return fail(err, ERR_SYNTAX, "%s: %s unpacks to %llu bytes, more than expected", path, name,
                    (unsigned long long)info.uncompressed_size);
    /* Deflate packs at most about 1032 to 1. A header that promises more is refused before memory
     * for it is allocated. */
    if (info.uncompressed_size > info.compressed_size * 1100 + 64)
        return fail(err, ERR_SYNTAX, "%s: %s promises %llu bytes from %llu", path, name,
                    (unsigned long long)info.uncompressed_size,
                    (unsigned long long)info.compressed_size);
    *out = (ZipMember){.name = arena_copy(arena, name, strlen(name)),
                       .count = (size_t)info.uncompressed_size};
    out->bytes = arena_alloc(arena, out->count + 1);
    if (!out->name || !out->bytes)
        return fail(err, ERR_MEMORY, "%s: no memory for %zu bytes", path, out->count);
    if (unzOpenCurrentFile(zip) != UNZ_OK)
        return fail(err, ERR_SYNTAX, "%s: %s cannot be unpacked", path, name);
    size_t read = 0;
    while (read < out->count) {
        size_t step = out->count - read > (1u << 30) ? 1u << 30 : out->count - read;
        int got = unzReadCurrentFile(zip, out->bytes + read, (unsigned)step);
        if (got <= 0) break;
        read += (size_t)got;
    }
    char extra;
    bool complete = read == out->count && unzReadCurrentFile(zip, &extra, 1) == 0;
    if (unzCloseCurrentFile(zip) != UNZ_OK || !complete)
        return fail(err, ERR_SYNTAX, "%s: %s is cut short or fails its checksum", path, name);
    *left -= out->count;
    return OK;
}

enum { END_RECORD_BYTES = 22, MAX_COMMENT = 65535 };

/* Whether the record that ends an archive is complete, with its comment (APPNOTE 4.3.16), and
 * within the last `max_bytes` of the file. minizip does not check this: it reads a record that is
 * cut short as if zeros followed, which is an archive without members. */
static bool has_end_record_within(const char *path, long max_bytes) {
    static const unsigned char SIGNATURE[4] = {'P', 'K', 5, 6};
    long size = -1;
    FILE *stream = fopen(path, "rb");
    unsigned char *tail = malloc((size_t)max_bytes);
    if (stream && !fseek(stream, 0, SEEK_END)) size = ftell(stream);
    if (size > max_bytes)
        size = fseek(stream, -max_bytes, SEEK_END) ? -1 : max_bytes;
    else if (size > 0)
        rewind(stream);
    bool complete = false;
    if (tail && size >= END_RECORD_BYTES && fread(tail, 1, (size_t)size, stream) == (size_t)size) {
        for (long at = size - END_RECORD_BYTES; at >= 0 && !complete; at--) {
            long comment = tail[at + 20] | tail[at + 21] << 8;
            complete = !memcmp(tail + at, SIGNATURE, sizeof SIGNATURE) &&
                       at + END_RECORD_BYTES + comment == size;
        }
    }
    if (stream) fclose(stream);
    free(tail);
    return complete;
}

/* Tries a short tail first, because nearly all archives have no comment. */
static bool has_end_record(const char *path) {
    return has_end_record_within(path, END_RECORD_BYTES) ||
           has_end_record_within(path, END_RECORD_BYTES + MAX_COMMENT);
}

Status zip_read(const char *path, size_t limit_bytes, Arena *arena, ZipMember **members, int *count,
                Error *err) {
    *members = NULL;
    *count = 0;
    if (!file_exists(path)) return fail(err, ERR_IO, "cannot read %s: no such file", path);
    unzFile zip = has_end_record(path) ? unzOpen64(path) : NULL;
    unz_global_info64 info;
    if (!zip) return fail(err, ERR_SYNTAX, "%s is not a zip archive, or is cut short", path);
    Status status = OK;
    if (unzGetGlobalInfo64(zip, &info) != UNZ_OK || info.number_entry > MAX_MEMBERS)
        status = fail(err, ERR_SYNTAX, "%s: the list of members is broken", path);
    size_t left = limit_bytes;
    if (!status) {
        *members =
            arena_alloc(arena, mem_array_bytes((size_t)info.number_entry + 1, sizeof **members));
        if (!*members)
            status = fail(err, ERR_MEMORY, "%s: no memory for the list of members", path);
    }
    for (int i = 0; !status && i < (int)info.number_entry; i++) {
        int code = i ? unzGoToNextFile(zip) : unzGoToFirstFile(zip);
        if (code != UNZ_OK)
            status = fail(err, ERR_SYNTAX, "%s: the list of members is broken", path);
        else
            status = read_member(zip, path, &left, arena, &(*members)[i], err);
        if (!status) (*count)++;
    }
    unzClose(zip);
    return status;
}

static bool is_wanted(const ZipPeek *peek, const char *name) {
    size_t length = strlen(peek->name);
    return strncmp(name, peek->name, length) == 0 &&
           (!name[length] || strcmp(name + length, peek->ending) == 0);
}

/* Makes the wanted member the current one of minizip. False: there is none. */
static bool find_member(unzFile zip, ZipPeek *peek) {
    char name[256];
    int code = unzGoToFirstFile(zip);
    for (int i = 0; i < MAX_MEMBERS && code == UNZ_OK; i++) {
        unz_file_info64 info;
        if (unzGetCurrentFileInfo64(zip, &info, name, sizeof name, NULL, 0, NULL, 0) != UNZ_OK)
            return false;
        peek->size = info.uncompressed_size;
        if (info.size_filename < sizeof name && is_wanted(peek, name)) return true;
        code = unzGoToNextFile(zip);
    }
    return false;
}

Status zip_peek(const char *path, ZipPeek *peek, Error *err) {
    if (!file_exists(path)) return fail(err, ERR_IO, "cannot read %s: no such file", path);
    unzFile zip = has_end_record(path) ? unzOpen64(path) : NULL;
    if (!zip) return fail(err, ERR_SYNTAX, "%s is not a zip archive, or is cut short", path);
    Status status = OK;
    if (!find_member(zip, peek)) {
        status = fail(err, ERR_SYNTAX, "%s: %s is missing", path, peek->name);
    } else if (unzOpenCurrentFile(zip) != UNZ_OK) {
        status = fail(err, ERR_SYNTAX, "%s: %s cannot be unpacked", path, peek->name);
    } else {
        peek->count = peek->size < peek->capacity ? (size_t)peek->size : peek->capacity;
        int got = unzReadCurrentFile(zip, peek->bytes, (unsigned)peek->count);
        unzCloseCurrentFile(zip);
        if (got < 0 || (size_t)got != peek->count)
            status = fail(err, ERR_SYNTAX, "%s: %s is cut short", path, peek->name);
    }
    unzClose(zip);
    return status;
}

Status gzip_read(const char *path, GzipLimit limit, Arena *arena, char **bytes, size_t *count,
                 Error *err) {
    gzFile file = gzopen(path, "rb");
    if (!file) return fail(err, ERR_IO, "cannot read %s", path);
    char *buffer = NULL;
    size_t capacity = 0, used = 0;
    Status status = OK;
    for (;;) {
        status = mem_grow(&buffer, &capacity, used + 65536, 1, err);
        if (status) break;
        int got = gzread(file, buffer + used, 65536);
        if (got < 0) status = fail(err, ERR_SYNTAX, "%s: the compressed data are broken", path);
        if (got <= 0) break;
        used += (size_t)got;
        size_t max_bytes = limit.bytes + limit.ratio * (size_t)gzoffset(file);
        if (used > max_bytes)
            status =
                fail(err, ERR_SYNTAX,
                     "%s unpacks to more than %zu bytes, too many for the %lld bytes read of it",
                     path, max_bytes, (long long)gzoffset(file));
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
