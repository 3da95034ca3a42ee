#include "data/rows/row_pack.h"

#include <string.h>

#include "data/rows/row_private.h"

/* A packed row consists of pieces, which fill one column after the other. A piece begins with two
 * numbers of two bytes, little-endian: the number of zeros with which the piece begins when it is
 * unpacked, and the number of the other bytes. Then come these other bytes as they are. They may
 * contain short runs of zeros. */
enum { PIECE_MAX = 0xffff, ZERO_RUN_MIN = 8 };

static size_t count_zeros(const unsigned char *bytes, size_t count) {
    static const unsigned char ZERO[8];
    size_t at = 0;
    while (at + 8 <= count && memcmp(bytes + at, ZERO, 8) == 0)
        at += 8;
    while (at < count && !bytes[at])
        at++;
    return at < PIECE_MAX ? at : PIECE_MAX;
}

/* Returns how many bytes come before the next long run of zeros, or before the zeros at the end of
 * the column. */
static size_t count_others(const unsigned char *bytes, size_t count) {
    size_t at = 0;
    while (at < count && at < PIECE_MAX) {
        const unsigned char *zero = memchr(bytes + at, 0, count - at);
        if (!zero) return count < PIECE_MAX ? count : PIECE_MAX;
        at = (size_t)(zero - bytes);
        size_t run = 0;
        while (at + run < count && run < ZERO_RUN_MIN && !bytes[at + run])
            run++;
        if (run == ZERO_RUN_MIN || at + run == count) break;
        at += run;
    }
    return at < PIECE_MAX ? at : PIECE_MAX;
}

void row_pack(const Rows *rows, size_t row, StrBuf *out) {
    Rows view = *rows;
    RowColumn columns[ROW_COLUMNS];
    int count = row_columns(&view, columns);
    for (int i = 0; i < count; i++) {
        size_t bytes = row_column_bytes(&columns[i]);
        const unsigned char *at = (unsigned char *)row_column_array(&columns[i]) + row * bytes;
        while (bytes) {
            size_t zeros = count_zeros(at, bytes);
            size_t others = count_others(at + zeros, bytes - zeros);
            const unsigned char head[4] = {
                (unsigned char)(zeros & 255), (unsigned char)(zeros >> 8),
                (unsigned char)(others & 255), (unsigned char)(others >> 8)};
            strbuf_add_bytes(out, head, sizeof head);
            strbuf_add_bytes(out, at + zeros, others);
            at += zeros + others;
            bytes -= zeros + others;
        }
    }
}

/* Unpacks a column of `size` bytes. Returns where the next column begins, or NULL if the packed
 * bytes are wrong. */
static const unsigned char *unpack_column(const unsigned char *at, const unsigned char *end,
                                          char *to, size_t size) {
    while (size) {
        if (end - at < 4) return NULL;
        size_t zeros = (size_t)(at[0] | at[1] << 8), others = (size_t)(at[2] | at[3] << 8);
        at += 4;
        if (zeros + others == 0 || zeros + others > size || others > (size_t)(end - at))
            return NULL;
        memset(to, 0, zeros);
        memcpy(to + zeros, at, others);
        at += others;
        to += zeros + others;
        size -= zeros + others;
    }
    return at;
}

Status row_unpack(Rows *rows, const void *bytes, size_t count, Error *err) {
    RowColumn columns[ROW_COLUMNS];
    const unsigned char *at = bytes, *end = at + count;
    Status status = rows_reserve(rows, rows->count + 1, err);
    if (status) return status;
    int columns_count = row_columns(rows, columns);
    for (int i = 0; i < columns_count && at; i++) {
        size_t size = row_column_bytes(&columns[i]);
        at = unpack_column(at, end, row_column_array(&columns[i]) + rows->count * size, size);
    }
    if (at != end) return fail(err, ERR_SYNTAX, "%zu bytes are no packed row", count);
    rows->count++;
    return OK;
}
