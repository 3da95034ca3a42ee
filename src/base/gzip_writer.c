#include "base/gzip_writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "base/memory.h"

enum { PIECE = 1 << 16 };

struct GzipWriter {
    AtomicFile file;
    bool packed;
    int fault; /* errno of the first write that failed */
    z_stream stream;
    size_t filled; /* of `bytes` */
    unsigned char bytes[PIECE], out[PIECE];
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

static void put(GzipWriter *writer, const void *bytes, size_t count) {
    if (!writer->fault && fwrite(bytes, 1, count, writer->file.stream) != count)
        writer->fault = errno ? errno : EIO;
}

/* Hands on what is collected; `mode` is zlib's. */
static void hand_on(GzipWriter *writer, int mode) {
    z_stream *stream = &writer->stream;
    if (!writer->packed) put(writer, writer->bytes, writer->filled);
    stream->next_in = writer->bytes;
    stream->avail_in = (unsigned)writer->filled;
    writer->filled = 0;
    for (bool more = writer->packed; more && !writer->fault;) {
        stream->next_out = writer->out;
        stream->avail_out = PIECE;
        deflate(stream, mode); /* cannot fail: it has what it needs, and is asked in order */
        put(writer, writer->out, PIECE - stream->avail_out);
        more = !stream->avail_out;
    }
}

void gzip_writer_add(GzipWriter *writer, const void *bytes, size_t count) {
    const unsigned char *from = bytes;
    while (count) {
        size_t room = PIECE - writer->filled, step = count < room ? count : room;
        memcpy(writer->bytes + writer->filled, from, step);
        writer->filled += step;
        from += step;
        count -= step;
        if (writer->filled == PIECE) hand_on(writer, Z_NO_FLUSH);
    }
}

Status gzip_writer_commit(GzipWriter *writer, Error *err) {
    hand_on(writer, Z_FINISH);
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
    atomic_file_abandon(&writer->file); /* nothing, once it is committed */
    free(writer);
}
