#include "base/formats/zip_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void note_failure(ZipStream *file) {
    if (!file->error) file->error = errno ? errno : EIO;
}

/* minizip's hooks. The file is open already: minizip does not open or close it. */
static voidpf hook_open(voidpf opaque, const void *name, int mode) {
    (void)name, (void)mode;
    return opaque;
}

static uLong hook_read(voidpf opaque, voidpf file, void *bytes, uLong count) {
    ZipStream *zip = file;
    (void)opaque;
    size_t got = fread(bytes, 1, count, zip->stream);
    if (got < count && ferror(zip->stream)) note_failure(zip);
    return (uLong)got;
}

static uLong hook_write(voidpf opaque, voidpf file, const void *bytes, uLong count) {
    ZipStream *zip = file;
    (void)opaque;
    size_t written = fwrite(bytes, 1, count, zip->stream);
    if (written < count) note_failure(zip);
    return (uLong)written;
}

static ZPOS64_T hook_tell(voidpf opaque, voidpf file) {
    ZipStream *zip = file;
    (void)opaque;
    off_t at = ftello(zip->stream);
    if (at < 0) note_failure(zip);
    return (ZPOS64_T)at;
}

static long hook_seek(voidpf opaque, voidpf file, ZPOS64_T offset, int origin) {
    static const int WHENCE[] = {[ZLIB_FILEFUNC_SEEK_SET] = SEEK_SET,
                                 [ZLIB_FILEFUNC_SEEK_CUR] = SEEK_CUR,
                                 [ZLIB_FILEFUNC_SEEK_END] = SEEK_END};
    ZipStream *zip = file;
    (void)opaque;
    if (!fseeko(zip->stream, (off_t)offset, WHENCE[origin])) return 0;
    /* An impossible offset comes from wrong bytes in the archive, not from the disk. */
    if (errno != EINVAL && errno != EOVERFLOW) note_failure(zip);
    return -1;
}

static int hook_close(voidpf opaque, voidpf file) {
    (void)opaque, (void)file;
    return 0;
}

static int hook_error(voidpf opaque, voidpf file) {
    (void)opaque;
    return ((ZipStream *)file)->error;
}

zlib_filefunc64_def zip_stream_hooks(ZipStream *file) {
    return (zlib_filefunc64_def){
        .zopen64_file = hook_open,
        .zread_file = hook_read,
        .zwrite_file = hook_write,
        .ztell64_file = hook_tell,
        .zseek64_file = hook_seek,
        .zclose_file = hook_close,
        .zerror_file = hook_error,
        .opaque = file,
    };
}

enum { END_RECORD_BYTES = 22, MAX_COMMENT = 65535 };

/* Looks for the record that ends an archive (PKWARE's APPNOTE.TXT, 4.3.16) in the last `max_bytes`
 * of the file. `*found` is its offset if the record and its comment are complete, or -1. minizip
 * does not check that they are complete. It reads a record that is cut short as if zeros followed,
 * and then finds no members. */
static Status find_end_record(ZipStream *file, long max_bytes, long *found, Error *err) {
    static const unsigned char SIGNATURE[4] = {'P', 'K', 5, 6};
    FILE *stream = file->stream;
    unsigned char *tail;
    *found = -1;
    Status status = mem_new((size_t)max_bytes, 1, &tail, err);
    if (status) return status;
    long size = fseek(stream, 0, SEEK_END) ? -1 : ftell(stream),
         from = size > max_bytes ? size - max_bytes : 0, count = size - from;
    if (size < 0 || fseek(stream, from, SEEK_SET) ||
        fread(tail, 1, (size_t)count, stream) != (size_t)count)
        note_failure(file);
    for (long at = count - END_RECORD_BYTES; !file->error && at >= 0 && *found < 0; at--) {
        long comment = tail[at + 20] | tail[at + 21] << 8;
        if (!memcmp(tail + at, SIGNATURE, sizeof SIGNATURE) &&
            at + END_RECORD_BYTES + comment == count)
            *found = from + at;
    }
    free(tail);
    return OK;
}

static size_t little_endian(const unsigned char *bytes, int count) {
    size_t value = 0;
    while (count-- > 0)
        value = value << 8 | bytes[count];
    return value;
}

static bool read_at(ZipStream *file, size_t offset, void *bytes, size_t count) {
    if (fseek(file->stream, (long)offset, SEEK_SET)) return false;
    bool read = fread(bytes, 1, count, file->stream) == count;
    if (!read && ferror(file->stream)) note_failure(file);
    return read;
}

enum { LOCAL_HEADER = 30, DIRECTORY_ENTRY = 46, DIRECTORY_MAX = 4 << 20, WIDE = 0xffff };

/* The name of a member occurs twice in an archive: in the directory (the list of members), here at
 * `entry`, and in the header before the data of the member (APPNOTE 4.3.7, 4.3.12). Returns whether
 * both names are the same. Returns true without a check if the name is longer than 256 bytes, or if
 * the offset of the header is 4 GiB or more, because then the offset is not in `entry`. */
static bool same_name(ZipStream *file, const unsigned char *entry) {
    unsigned char header[LOCAL_HEADER], name[256];
    size_t length = little_endian(entry + 28, 2), at = little_endian(entry + 42, 4);
    if (at == 0xffffffff || length > sizeof name) return true;
    return read_at(file, at, header, sizeof header) && little_endian(header + 26, 2) == length &&
           read_at(file, at + LOCAL_HEADER, name, length) &&
           memcmp(name, entry + DIRECTORY_ENTRY, length) == 0;
}

/* Checks what no checksum covers: the names of the members and their number. If a name or the
 * number is damaged, a member seems to be missing. `record` is the offset of the record that ends
 * the archive. Sets `*sound` to true without a check if the directory is larger than 4 MiB, or if
 * it does not lie just before this record, as in a zip64 archive. */
static Status check_directory(ZipStream *file, long record, bool *sound, Error *err) {
    unsigned char end[END_RECORD_BYTES], *directory;
    *sound = true;
    if (!read_at(file, (size_t)record, end, sizeof end)) return OK;
    size_t count = little_endian(end + 10, 2), size = little_endian(end + 12, 4),
           offset = little_endian(end + 16, 4), at = 0, seen = 0;
    if (count == WIDE || size > DIRECTORY_MAX || offset + size != (size_t)record) return OK;
    Status status = mem_new(size + 1, 1, &directory, err);
    if (status) return status;
    *sound = read_at(file, offset, directory, size);
    while (*sound && at + DIRECTORY_ENTRY <= size) {
        const unsigned char *entry = directory + at;
        at += DIRECTORY_ENTRY + little_endian(entry + 28, 2) + little_endian(entry + 30, 2) +
              little_endian(entry + 32, 2);
        *sound = at <= size && same_name(file, entry);
        seen++;
    }
    *sound = *sound && at == size && seen == count;
    free(directory);
    return OK;
}

Status zip_reader_close(ZipReader *reader, Status status, Error *err) {
    if (reader->stream.error)
        status = fail(err, ERR_IO, "cannot read %s: %s", reader->file.path,
                      strerror(reader->stream.error));
    if (reader->zip) unzClose(reader->zip);
    file_reader_close(&reader->file);
    return status;
}

Status zip_reader_open(const char *path, ZipReader *out, Error *err) {
    *out = (ZipReader){0};
    Status status = file_reader_open(path, &out->file, err);
    if (status) return status;
    out->stream.stream = out->file.stream;
    zlib_filefunc64_def hooks = zip_stream_hooks(&out->stream);
    long record = -1;
    bool sound = false;
    /* A short tail is tried first, because nearly all archives have no comment. */
    status = find_end_record(&out->stream, END_RECORD_BYTES, &record, err);
    if (!status && record < 0 && !out->stream.error)
        status = find_end_record(&out->stream, END_RECORD_BYTES + MAX_COMMENT, &record, err);
    if (!status && record >= 0) status = check_directory(&out->stream, record, &sound, err);
    if (!status && sound) out->zip = unzOpen2_64(path, &hooks);
    if (!status && !out->zip)
        status = record < 0
                     ? fail(err, ERR_SYNTAX, "%s is not a zip archive, or is cut short", path)
                     : fail(err, ERR_SYNTAX, "%s: the list of members is broken", path);
    return status ? zip_reader_close(out, status, err) : OK;
}

Status zip_reader_cannot_unpack(int code, const char *path, const char *name, Error *err) {
    return code == UNZ_INTERNALERROR || code == Z_MEM_ERROR
               ? fail(err, ERR_MEMORY, "%s: no memory to unpack %s", path, name)
               : fail(err, ERR_SYNTAX, "%s: %s cannot be unpacked", path, name);
}

Status zip_reader_unpack(const ZipReader *reader, size_t *left, Arena *arena, ZipMember *out,
                         Error *err) {
    unzFile zip = reader->zip;
    const char *path = reader->file.path;
    unz_file_info64 info;
    char name[256];
    if (unzGetCurrentFileInfo64(zip, &info, name, sizeof name, NULL, 0, NULL, 0) != UNZ_OK ||
        info.size_filename >= sizeof name)
        return fail(err, ERR_SYNTAX, "%s: a member's header is broken or its name is too long",
                    path);
    if (info.uncompressed_size > *left)
        return fail(err, ERR_SYNTAX, "%s: %s unpacks to %llu bytes, more than expected", path, name,
                    (unsigned long long)info.uncompressed_size);
    /* Deflate compresses at most about 1032 to 1. A header that promises more is refused before
     * memory for it is allocated. */
    if (info.uncompressed_size > info.compressed_size * 1100 + 64)
        return fail(err, ERR_SYNTAX,
                    "%s: %s claims to unpack to %llu bytes from %llu, which is impossible", path,
                    name, (unsigned long long)info.uncompressed_size,
                    (unsigned long long)info.compressed_size);
    *out = (ZipMember){.name = arena_copy(arena, name, strlen(name)),
                       .count = (size_t)info.uncompressed_size};
    out->bytes = arena_alloc(arena, out->count + 1);
    if (!out->name || !out->bytes)
        return fail(err, ERR_MEMORY, "%s: no memory for %zu bytes", path, out->count);
    int code = unzOpenCurrentFile(zip);
    if (code != UNZ_OK) return zip_reader_cannot_unpack(code, path, name, err);
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
