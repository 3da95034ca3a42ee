#include "base/formats/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"

static void put_32(unsigned char *to, unsigned long value) {
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* Adds a chunk of the file: its length, type and bytes, and the CRC of type and bytes. */
static void add_chunk(const char *type, const unsigned char *bytes, size_t count, StrBuf *out) {
    unsigned char number[4];
    put_32(number, (unsigned long)count);
    strbuf_add_bytes(out, number, sizeof number);
    strbuf_add_bytes(out, type, 4);
    if (count) strbuf_add_bytes(out, bytes, count);
    unsigned long crc = crc32(0, (const unsigned char *)type, 4);
    if (count) crc = crc32(crc, bytes, (unsigned)count);
    put_32(number, crc);
    strbuf_add_bytes(out, number, sizeof number);
}

/* Compresses the rows of pixels. A byte 0 before each row says that it is not filtered. */
static Status compress_rows(const unsigned char *rgb, int width, int height, unsigned char **out,
                            size_t *count, Error *err) {
    size_t row = 3 * (size_t)width, bytes = (row + 1) * (size_t)height;
    unsigned long bound = compressBound(bytes);
    unsigned char *rows, *packed = NULL;
    Status status = mem_new(bytes, 1, &rows, err);
    if (!status) status = mem_new(bound, 1, &packed, err);
    for (int y = 0; y < height && !status; y++)
        memcpy(rows + (row + 1) * (size_t)y + 1, rgb + row * (size_t)y, row);
    if (!status && compress2(packed, &bound, rows, bytes, 9) != Z_OK)
        status = fail(err, ERR_MEMORY, "no memory for a picture");
    free(rows);
    *out = packed;
    *count = bound;
    return status;
}

Status png_encode(const unsigned char *rgb, int width, int height, StrBuf *out, Error *err) {
    unsigned char header[13] = {[8] = 8, [9] = 2}; /* 8 bits per channel; color type 2: RGB */
    unsigned char *packed = NULL;
    size_t count = 0;
    if (width < 1 || height < 1 || width > 65535 || height > 65535)
        return fail(err, ERR_ARGUMENT,
                    "a PNG picture cannot be %d x %d pixels, only 1 to 65535 each way", width,
                    height);
    put_32(header, (unsigned long)width);
    put_32(header + 4, (unsigned long)height);
    Status status = compress_rows(rgb, width, height, &packed, &count, err);
    if (!status) {
        strbuf_add_bytes(out, "\x89PNG\r\n\x1a\n", 8);
        add_chunk("IHDR", header, sizeof header, out);
        add_chunk("IDAT", packed, count, out);
        add_chunk("IEND", NULL, 0, out);
        status = strbuf_status(out, err);
    }
    free(packed);
    return status;
}
