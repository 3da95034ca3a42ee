#include "base/formats/gzip_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"

enum { BUFFER_BYTES = 1 << 16 };

struct GzipWriter {
    AtomicFile file;
    bool packed;
    int fault; /* errno of the first write that failed, or 0 */
    z_stream stream;
    size_t filled;                     /* how much of `bytes` is in use */
    unsigned char bytes[BUFFER_BYTES]; /* not compressed yet */
    unsigned char out[BUFFER_BYTES];   /* compressed */
};

Status gzip_writer_open(const char *path, int level, GzipWriter **out, Error *err) {
    GzipWriter *writer;
    *out = NULL;
    Status status = mem_new(1, sizeof *writer, &writer, err);
    if (status) return status;
    status = atomic_file_open(path, &writer->file, err);
    if (!status && level) {
        writer->packed = deflateInit2(&writer->stream, level, Z_DEFLATED, 15 + 16, 8,
                                      Z_DEFAULT_STRATEGY) == Z_OK;
        if (!writer->packed) status = fail(err, ERR_MEMORY, "cannot start compression");
    }
    if (status) {
        atomic_file_abandon(&writer->file);
        free(writer);
        return status;
    }
    *out = writer;
    return OK;
}

static void write_out(GzipWriter *writer, const void *bytes, size_t count) {
    if (!writer->fault && fwrite(bytes, 1, count, writer->file.stream) != count)
        writer->fault = errno ? errno : EIO;
}

/* Compresses and writes the collected bytes. `mode` is the flush mode of zlib. */
static void flush_bytes(GzipWriter *writer, int mode) {
    z_stream *stream = &writer->stream;
    if (!writer->packed) write_out(writer, writer->bytes, writer->filled);
    stream->next_in = writer->bytes;
    stream->avail_in = (unsigned)writer->filled;
    writer->filled = 0;
    for (bool more = writer->packed; more && !writer->fault;) {
        stream->next_out = writer->out;
        stream->avail_out = BUFFER_BYTES;
        deflate(stream, mode); /* cannot fail: `out` is empty, and the calls are in order */
        write_out(writer, writer->out, BUFFER_BYTES - stream->avail_out);
        more = !stream->avail_out;
    }
}

void gzip_writer_add(GzipWriter *writer, const void *bytes, size_t count) {
    const unsigned char *from = bytes;
    while (count) {
        size_t room = BUFFER_BYTES - writer->filled, step = count < room ? count : room;
        memcpy(writer->bytes + writer->filled, from, step);
        writer->filled += step;
        from += step;
        count -= step;
        if (writer->filled == BUFFER_BYTES) flush_bytes(writer, Z_NO_FLUSH);
    }
}

Status gzip_writer_commit(GzipWriter *writer, Error *err) {
    flush_bytes(writer, Z_FINISH);
    Status status = OK;
    if (writer->fault)
        status =
            fail(err, ERR_IO, "cannot write %s: %s", writer->file.path, strerror(writer->fault));
    if (!status) status = atomic_file_commit(&writer->file, err);
    gzip_writer_abandon(writer);
    return status;
}

void gzip_writer_abandon(GzipWriter *writer) {
    if (!writer) return;
    if (writer->packed) deflateEnd(&writer->stream);
    atomic_file_abandon(&writer->file); /* does nothing after a commit */
    free(writer);
}
