#include "base/formats/archive_reader.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "base/formats/zip_reader.h"

enum { BLOCK = 512, NAME_MAX_BYTES = 4096, TOTAL_RATIO = 200 };
static const size_t TOTAL_FREE_BYTES = (size_t)64 << 20;

typedef enum { KIND_ZIP, KIND_TAR, KIND_SINGLE } Kind;

struct ArchiveReader {
    ArchiveReaderSetup setup;
    Kind kind;
    char *path;
    int64_t file_bytes;
    uint64_t total; /* bytes unpacked so far */
    bool started;   /* if kind is KIND_ZIP: minizip has been moved to the first member */
    bool ended;     /* no more can be read */
    ZipReader zip;  /* if kind is KIND_ZIP */
    gzFile stream;  /* otherwise */
    Arena arena;    /* holds the member that was handed out */
    char name[NAME_MAX_BYTES + 1];
};

static const struct {
    const char *ending;
    Kind kind;
} ENDINGS[] = {{".zip", KIND_ZIP}, {".tar", KIND_TAR},   {".tar.gz", KIND_TAR},
               {".tgz", KIND_TAR}, {".gz", KIND_SINGLE}, {0}};

/* Returns the index in ENDINGS, or -1. */
static int find_kind(const char *path) {
    for (int i = 0; ENDINGS[i].ending; i++) {
        if (path_has_ending(path, ENDINGS[i].ending)) return i;
    }
    return -1;
}

bool archive_reader_can_read(const char *path) {
    return find_kind(path) >= 0;
}

Status archive_reader_open(const char *path, const ArchiveReaderSetup *setup, ArchiveReader **out,
                           Error *err) {
    ArchiveReader *reader;
    int kind = find_kind(path);
    *out = NULL;
    if (kind < 0) return fail(err, ERR_SYNTAX, "%s is no .zip, .tar, .tar.gz, .tgz or .gz", path);
    Status status = mem_new(1, sizeof *reader, &reader, err);
    if (status) return status;
    reader->setup = *setup;
    reader->kind = ENDINGS[kind].kind;
    reader->file_bytes = file_bytes(path);
    status = mem_new(strlen(path) + 1, 1, &reader->path, err);
    if (!status) {
        memcpy(reader->path, path, strlen(path));
        if (reader->kind == KIND_ZIP) {
            status = zip_reader_open(reader->path, &reader->zip, err);
        } else {
            reader->stream = gzopen(path, "rb");
            if (!reader->stream)
                status = fail(err, ERR_IO, "cannot read %s: %s", path, strerror(errno));
        }
    }
    if (status)
        archive_reader_close(reader);
    else
        *out = reader;
    return status;
}

void archive_reader_close(ArchiveReader *reader) {
    if (!reader) return;
    if (reader->zip.zip) {
        Status status = zip_reader_close(&reader->zip, OK, NULL);
        (void)status; /* a failure of the disk was reported by the call that met it */
    }
    if (reader->stream) gzclose(reader->stream);
    arena_clear(&reader->arena);
    free(reader->path);
    free(reader);
}

int64_t archive_reader_offset(const ArchiveReader *reader) {
    if (reader->kind == KIND_ZIP) return (int64_t)ftello(reader->zip.stream.stream);
    return (int64_t)gzoffset(reader->stream);
}

static bool is_wanted(const ArchiveReader *reader, const char *name) {
    return !reader->setup.is_wanted || reader->setup.is_wanted(name);
}

/* How many bytes the archive may unpack to. */
static uint64_t total_max(const ArchiveReader *reader) {
    return TOTAL_FREE_BYTES + TOTAL_RATIO * (uint64_t)reader->file_bytes;
}

/* Adds to the number of bytes that have been unpacked. Refuses an archive that unpacks to far more
 * than an archive of games would. */
static Status add_total(ArchiveReader *reader, uint64_t bytes, Error *err) {
    reader->total += bytes;
    if (reader->total <= total_max(reader)) return OK;
    reader->ended = true;
    return fail(err, ERR_SYNTAX,
                "%s unpacks to more than %zu MiB plus %d times its size and is not read further",
                reader->path, TOTAL_FREE_BYTES >> 20, TOTAL_RATIO);
}

/* Moves to the next wanted member. Returns false if there is none; `*status` is then OK. Also
 * returns false if the list of members is broken; `*status` is then ERR_SYNTAX. */
static bool next_zip_member(ArchiveReader *reader, Status *status, Error *err) {
    for (;;) {
        unz_file_info64 info;
        int code =
            reader->started ? unzGoToNextFile(reader->zip.zip) : unzGoToFirstFile(reader->zip.zip);
        reader->started = true;
        *status = OK;
        if (code == UNZ_END_OF_LIST_OF_FILE) return false;
        if (code == UNZ_OK)
            code = unzGetCurrentFileInfo64(reader->zip.zip, &info, reader->name,
                                           sizeof reader->name, NULL, 0, NULL, 0);
        if (code != UNZ_OK) {
            *status = fail(err, ERR_SYNTAX, "%s: the list of members is broken", reader->path);
            return false;
        }
        size_t length = info.size_filename < NAME_MAX_BYTES ? info.size_filename : NAME_MAX_BYTES;
        reader->name[length] = 0;
        if (length && reader->name[length - 1] != '/' && is_wanted(reader, reader->name))
            return true;
    }
}

static Status next_of_zip(ArchiveReader *reader, ZipMember *out, bool *done, Error *err) {
    Status status;
    uint64_t rest = total_max(reader) - reader->total;
    size_t left = reader->setup.member_bytes < rest ? reader->setup.member_bytes : (size_t)rest;
    if (!next_zip_member(reader, &status, err)) {
        reader->ended = true;
        *done = !status;
        return status;
    }
    status = zip_reader_unpack(&reader->zip, &left, &reader->arena, out, err);
    if (reader->zip.stream.error) { /* the disk failed, not the archive */
        reader->ended = true;
        return fail(err, ERR_IO, "cannot read %s: %s", reader->path,
                    strerror(reader->zip.stream.error));
    }
    return status ? status : add_total(reader, out->count, err);
}

/* Reads `count` bytes, and sets `*got` to how many bytes could be read. If `*got` is less than
 * `count`, nothing more will be read from the archive. */
static Status read_stream(ArchiveReader *reader, void *bytes, size_t count, size_t *got,
                          Error *err) {
    int code, result = gzread(reader->stream, bytes, (unsigned)count);
    *got = result > 0 ? (size_t)result : 0;
    if (*got == count) return OK;
    reader->ended = true;
    if (result < 0) {
        (void)gzerror(reader->stream, &code);
        if (code == Z_ERRNO)
            return fail(err, ERR_IO, "cannot read %s: %s", reader->path, strerror(errno));
        if (code == Z_MEM_ERROR)
            return fail(err, ERR_MEMORY, "no memory to unpack %s", reader->path);
        return fail(err, ERR_SYNTAX, "%s: the compressed data are broken or cut short",
                    reader->path);
    }
    return OK;
}

/* Reads the content of a member into memory, or passes over it if `out` is NULL. Memory is
 * allocated as the bytes arrive. */
static Status read_content(ArchiveReader *reader, uint64_t size, char **out, Error *err) {
    char *bytes = NULL, passed[BLOCK * 16];
    size_t capacity = 0, got, at = 0;
    Status status = OK;
    while (at < size && !status) {
        size_t step = size - at < sizeof passed ? (size_t)(size - at) : sizeof passed;
        if (out) status = mem_grow(&bytes, &capacity, at + step + 1, 1, err);
        if (status) break;
        status = read_stream(reader, out ? bytes + at : passed, step, &got, err);
        if (!status && got < step)
            status = fail(err, ERR_SYNTAX, "%s is cut short in %s", reader->path, reader->name);
        at += step;
        if (!status) status = add_total(reader, step, err);
    }
    if (!status && out) {
        *out = arena_copy(&reader->arena, bytes ? bytes : "", at);
        if (!*out) status = fail(err, ERR_MEMORY, "no memory for %s", reader->name);
    }
    free(bytes);
    return status;
}

/* A header of a tar archive (POSIX.1-1988 ustar, and GNU's numbers in base 256). */
typedef struct {
    char name[100], mode[8], uid[8], gid[8], size[12], time[12], sum[8], type, link[100], magic[6],
        version[2], owner[32], group[32], device[16], prefix[155], pad[12];
} TarHeader;
_Static_assert(sizeof(TarHeader) == BLOCK, "a header is one block");

/* Reads an octal number, or one in base 256, which has the highest bit of its first byte set. */
static bool tar_number(const char *text, size_t count, uint64_t *out) {
    size_t i = 0;
    *out = 0;
    if ((unsigned char)text[0] & 0x80) {
        for (i = 1; i < count; i++) {
            if (*out >> 52) return false;
            *out = *out << 8 | (unsigned char)text[i];
        }
        return ((unsigned char)text[0] & 0x7f) == 0;
    }
    while (i < count && text[i] == ' ')
        i++;
    for (; i < count && text[i] >= '0' && text[i] <= '7'; i++)
        *out = *out << 3 | (uint64_t)(text[i] - '0');
    return i == count || text[i] == ' ' || text[i] == 0;
}

static bool tar_sum_is_right(const TarHeader *header) {
    const unsigned char *bytes = (const unsigned char *)header;
    uint64_t wanted, sum = 8 * ' ';
    for (size_t i = 0; i < sizeof *header; i++) {
        bool in_sum = i >= offsetof(TarHeader, sum) && i < offsetof(TarHeader, type);
        sum += in_sum ? 0 : bytes[i];
    }
    return tar_number(header->sum, sizeof header->sum, &wanted) && wanted == sum;
}

/* Reads the next header. Sets `*done` at the end of the archive. */
static Status read_header(ArchiveReader *reader, TarHeader *header, uint64_t *size, bool *done,
                          Error *err) {
    static const TarHeader ZERO = {0};
    size_t got;
    Status status = read_stream(reader, header, sizeof *header, &got, err);
    if (status) return status;
    *done = got == sizeof *header && memcmp(header, &ZERO, sizeof ZERO) == 0;
    if (*done) {
        reader->ended = true;
        return OK;
    }
    bool good = got == sizeof *header && tar_sum_is_right(header) &&
                tar_number(header->size, sizeof header->size, size) && *size < (uint64_t)1 << 48;
    if (good) return add_total(reader, sizeof *header, err);
    reader->ended = true;
    return fail(err, ERR_SYNTAX, "%s: %s", reader->path,
                got < sizeof *header ? "the archive is cut short" : "a header is broken");
}

static void copy_name(const TarHeader *header, char out[NAME_MAX_BYTES + 1]) {
    size_t at = 0;
    if (memcmp(header->magic, "ustar", 5) == 0 && header->magic[5] == 0 && header->prefix[0]) {
        at = strnlen(header->prefix, sizeof header->prefix);
        memcpy(out, header->prefix, at);
        out[at++] = '/';
    }
    size_t length = strnlen(header->name, sizeof header->name);
    memcpy(out + at, header->name, length);
    out[at + length] = 0;
}

/* Copies the value of "path" from the records "LENGTH KEY=VALUE\n" of a pax header. Returns false
 * if there is none. */
static bool find_pax_path(const char *text, size_t size, char out[NAME_MAX_BYTES + 1]) {
    for (size_t at = 0; at < size;) {
        char *after;
        unsigned long length = strtoul(text + at, &after, 10);
        size_t start = (size_t)(after - text) + 1;
        if (!length || length > size - at || *after != ' ' || start >= at + length) return false;
        size_t end = at + length - 1;
        if (start + 5 <= end && memcmp(text + start, "path=", 5) == 0) {
            size_t count = end - start - 5 < NAME_MAX_BYTES ? end - start - 5 : NAME_MAX_BYTES;
            memcpy(out, text + start + 5, count);
            out[count] = 0;
            return true;
        }
        at += length;
    }
    return false;
}

/* Reads the content of a header that holds the name of the next member: GNU's 'L', or pax's 'x'. */
static Status read_long_name(ArchiveReader *reader, const TarHeader *header, uint64_t size,
                             bool *named, Error *err) {
    char *text;
    if (size > (1 << 20)) {
        reader->ended = true;
        return fail(err, ERR_SYNTAX, "%s: a name has %llu bytes", reader->path,
                    (unsigned long long)size);
    }
    Status status = read_content(reader, size, &text, err);
    if (status) return status;
    if (header->type == 'x') {
        *named |= find_pax_path(text, (size_t)size, reader->name);
        return OK;
    }
    size_t length = strnlen(text, (size_t)size < NAME_MAX_BYTES ? (size_t)size : NAME_MAX_BYTES);
    memcpy(reader->name, text, length);
    reader->name[length] = 0;
    *named = true;
    return OK;
}

/* Passes over the bytes that fill the last block of a member. */
static Status pass_padding(ArchiveReader *reader, uint64_t size, Error *err) {
    return read_content(reader, (BLOCK - size % BLOCK) % BLOCK, NULL, err);
}

static Status hand_out(ArchiveReader *reader, uint64_t size, ZipMember *out, Error *err) {
    char *bytes;
    if (size > reader->setup.member_bytes) {
        Status status = read_content(reader, size, NULL, err);
        if (!status) status = pass_padding(reader, size, err);
        return status ? status
                      : fail(err, ERR_SYNTAX, "%s: %s has %llu bytes, more than the limit of %zu",
                             reader->path, reader->name, (unsigned long long)size,
                             reader->setup.member_bytes);
    }
    Status status = read_content(reader, size, &bytes, err);
    if (!status) status = pass_padding(reader, size, err);
    if (status) return status;
    *out = (ZipMember){reader->name, (unsigned char *)bytes, (size_t)size};
    return OK;
}

static Status next_of_tar(ArchiveReader *reader, ZipMember *out, bool *done, Error *err) {
    bool named = false;
    for (;;) {
        TarHeader header;
        uint64_t size = 0;
        Status status = read_header(reader, &header, &size, done, err);
        if (status || *done) return status;
        if (header.type == 'L' || header.type == 'x') {
            status = read_long_name(reader, &header, size, &named, err);
        } else {
            if (!named) copy_name(&header, reader->name);
            named = false;
            bool file = header.type == '0' || header.type == 0 || header.type == '7';
            if (file && is_wanted(reader, reader->name)) return hand_out(reader, size, out, err);
            status = read_content(reader, size, NULL, err);
        }
        if (!status) status = pass_padding(reader, size, err);
        if (status) return status;
    }
}

/* Reads a compressed file that is no archive. The member is named as the file, without ".gz". */
static Status next_of_single(ArchiveReader *reader, ZipMember *out, Error *err) {
    char *bytes;
    const char *name = path_name(reader->path);
    size_t length = strlen(name) - strlen(".gz");
    reader->ended = true;
    snprintf(reader->name, sizeof reader->name, "%.*s", (int)length, name);
    GzipLimit limit = {TOTAL_FREE_BYTES, TOTAL_RATIO};
    *out = (ZipMember){.name = reader->name};
    Status status = gzip_read(reader->path, limit, &reader->arena, &bytes, &out->count, err);
    if (status) return status;
    out->bytes = (unsigned char *)bytes;
    if (out->count <= reader->setup.member_bytes) return OK;
    return fail(err, ERR_SYNTAX, "%s has %zu bytes, more than the limit of %zu", reader->path,
                out->count, reader->setup.member_bytes);
}

Status archive_reader_next(ArchiveReader *reader, ZipMember *out, bool *done, Error *err) {
    *out = (ZipMember){0};
    *done = reader->ended;
    arena_clear(&reader->arena);
    if (*done) return OK;
    if (reader->kind == KIND_ZIP) return next_of_zip(reader, out, done, err);
    if (reader->kind == KIND_TAR) return next_of_tar(reader, out, done, err);
    return next_of_single(reader, out, err);
}
