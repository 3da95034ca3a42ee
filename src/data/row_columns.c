#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/row_private.h"

void row_columns(Rows *rows, RowColumn out[ROW_COLUMNS]) {
    size_t length = (size_t)rows->length, area = length * length;
    const RowColumn all[ROW_COLUMNS] = {
        {"binaryInputNCHWPacked", "|u1", &rows->planes, 1, 2, {FEATURE_PLANES, (area + 7) / 8}},
        {"globalInputNC", "<f4", &rows->globals, 4, 1, {FEATURE_GLOBALS}},
        {"policyTargetsNCMove", "<i2", &rows->policy, 2, 2, {2, area + 1}},
        {"globalTargetsNC", "<f4", &rows->targets, 4, 1, {ROW_GLOBAL_TARGETS}},
        {"scoreDistrN", "|i1", &rows->score, 1, 1, {2 * area + 2 * ROW_SCORE_PAD}},
        {"valueTargetsNCHW", "|i1", &rows->values, 1, 3, {5, length, length}},
        {"qValueTargetsNCMove", "<i2", &rows->q_values, 2, 2, {3, area + 1}},
    };
    memcpy(out, all, sizeof all);
}

size_t row_column_bytes(const RowColumn *column) {
    size_t bytes = column->size;
    for (int i = 0; i < column->rank; i++)
        bytes *= column->dims[i];
    return bytes;
}

char *row_column_array(const RowColumn *column) {
    char *array;
    memcpy(&array, column->array_pointer, sizeof array);
    return array;
}

size_t rows_bytes(int length) {
    Rows rows = {.length = length};
    RowColumn columns[ROW_COLUMNS];
    size_t sum = 0;
    row_columns(&rows, columns);
    for (int i = 0; i < ROW_COLUMNS; i++)
        sum += row_column_bytes(&columns[i]);
    return sum;
}

void rows_to_bytes(const Rows *rows, StrBuf *out) {
    Rows view = *rows;
    RowColumn columns[ROW_COLUMNS];
    row_columns(&view, columns);
    for (int i = 0; i < ROW_COLUMNS && rows->count; i++)
        strbuf_add_bytes(out, row_column_array(&columns[i]),
                         rows->count * row_column_bytes(&columns[i]));
}

Status rows_from_bytes(Rows *rows, const void *bytes, size_t length, size_t count, Error *err) {
    RowColumn columns[ROW_COLUMNS];
    if (mem_array_bytes(count, rows_bytes(rows->length)) != length)
        return fail(err, ERR_SYNTAX, "%zu bytes are not %zu rows of edge %d", length, count,
                    rows->length);
    Status status = rows_reserve(rows, rows->count + count, err);
    if (status || !count) return status;
    const char *at = bytes;
    row_columns(rows, columns);
    for (int i = 0; i < ROW_COLUMNS; i++) {
        size_t each = row_column_bytes(&columns[i]);
        memcpy(row_column_array(&columns[i]) + rows->count * each, at, count * each);
        at += count * each;
    }
    rows->count += count;
    return OK;
}
