#include "data/rows/row.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "data/rows/row_private.h"

/* Lists all columns, also those that the rows do not have. */
static void list_columns(Rows *rows, RowColumn out[ROW_COLUMNS]) {
    size_t length = (size_t)rows->length, area = length * length;
    const RowColumn all[ROW_COLUMN_POINTS] = {
        {0, "binaryInputNCHWPacked", "|u1", &rows->planes, 1, 2, {FEATURE_PLANES, (area + 7) / 8}},
        {1, "globalInputNC", "<f4", &rows->globals, 4, 1, {FEATURE_GLOBALS}},
        {2, "policyTargetsNCMove", "<i2", &rows->policy, 2, 2, {2, area + 1}},
        {3, "globalTargetsNC", "<f4", &rows->targets, 4, 1, {ROW_GLOBAL_TARGETS}},
        {4, "scoreDistrN", "|i1", &rows->score, 1, 1, {2 * area + 2 * ROW_SCORE_PAD}},
        {5, "valueTargetsNCHW", "|i1", &rows->values, 1, 3, {5, length, length}},
        {6, "qValueTargetsNCMove", "<i2", &rows->q_values, 2, 2, {3, area + 1}},
        {7, "searchValueDistrN", "<i2", &rows->search_values, 2, 1, {REPORT_VALUE_BUCKETS}},
        {8, "metadataInputNC", "<f4", &rows->players, 4, 1, {METADATA_COUNT}},
    };
    memcpy(out, all, sizeof all);
    for (int c = 0; c < ROW_POINT_COLUMNS; c++)
        out[ROW_COLUMN_POINTS + c] = (RowColumn){.id = ROW_COLUMN_POINTS + c,
                                                 .name = ROW_POINT_CLASSES[c].name,
                                                 .descr = "<i2",
                                                 .array_pointer = &rows->points[c],
                                                 .size = sizeof *rows->points[c],
                                                 .rank = 2,
                                                 .dims = {length, length}};
}

int row_columns(Rows *rows, RowColumn out[ROW_COLUMNS]) {
    RowColumn all[ROW_COLUMNS];
    int count = 0;
    list_columns(rows, all);
    for (int i = 0; i < ROW_COLUMNS; i++) {
        bool has = i < ROW_COLUMN_PLAYERS ||
                   (i == ROW_COLUMN_PLAYERS ? rows->has_players
                                            : rows->point_columns >> (i - ROW_COLUMN_POINTS) & 1);
        if (has) out[count++] = all[i];
    }
    return count;
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

bool rows_have_search_values(const Rows *rows) {
    for (size_t i = 0; i < rows->count * REPORT_VALUE_BUCKETS; i++) {
        if (rows->search_values[i]) return true;
    }
    return false;
}

/* Returns the bytes of a row, in all its columns. */
static size_t bytes_each(const Rows *rows) {
    Rows view = *rows;
    RowColumn columns[ROW_COLUMNS];
    size_t sum = 0;
    int count = row_columns(&view, columns);
    for (int i = 0; i < count; i++)
        sum += row_column_bytes(&columns[i]);
    return sum;
}

size_t rows_bytes(int length) {
    return bytes_each(&(Rows){.length = length});
}

size_t rows_total_bytes(const Rows *rows) {
    return rows->count * bytes_each(rows);
}

bool rows_fit_bytes(const Rows *like, size_t count, size_t bytes) {
    const size_t search_values = REPORT_VALUE_BUCKETS * sizeof(int16_t);
    size_t each = bytes_each(&(Rows){.length = like->length, .point_columns = like->point_columns});
    return mem_array_bytes(count, each) == bytes ||
           mem_array_bytes(count, each - search_values) == bytes;
}

void rows_to_bytes(const Rows *rows, StrBuf *out) {
    Rows view = *rows;
    RowColumn columns[ROW_COLUMNS];
    int count = row_columns(&view, columns);
    bool search_values = rows_have_search_values(rows);
    for (int i = 0; i < count && rows->count; i++) {
        bool left_out = columns[i].id == ROW_COLUMN_PLAYERS ||
                        (columns[i].id == ROW_COLUMN_SEARCH_VALUES && !search_values);
        if (!left_out)
            strbuf_add_bytes(out, row_column_array(&columns[i]),
                             rows->count * row_column_bytes(&columns[i]));
    }
}

Status rows_from_bytes(Rows *rows, const void *bytes, size_t length, size_t count, Error *err) {
    RowColumn columns[ROW_COLUMNS];
    if (!rows_fit_bytes(rows, count, length))
        return fail(err, ERR_SYNTAX, "%zu bytes are not %zu rows of length %d", length, count,
                    rows->length);
    Status status = rows_reserve(rows, rows->count + count, err);
    if (status || !count) return status;
    Rows packed = {.length = rows->length, .point_columns = rows->point_columns};
    bool search_values = length == count * bytes_each(&packed);
    const char *at = bytes;
    int columns_count = row_columns(rows, columns);
    for (int i = 0; i < columns_count; i++) {
        size_t each = count * row_column_bytes(&columns[i]);
        char *to = row_column_array(&columns[i]) + rows->count * row_column_bytes(&columns[i]);
        bool left_out = columns[i].id == ROW_COLUMN_PLAYERS ||
                        (columns[i].id == ROW_COLUMN_SEARCH_VALUES && !search_values);
        if (left_out) {
            memset(to, 0, each);
            continue;
        }
        memcpy(to, at, each);
        at += each;
    }
    rows->count += count;
    return OK;
}

Status rows_init(Rows *rows, int length, Error *err) {
    *rows = (Rows){.length = length};
    if (length >= 2 && length <= BOARD_SIDE_MAX) return OK;
    return fail(err, ERR_ARGUMENT, "rows of length %d, wanted 2 to %d", length, BOARD_SIDE_MAX);
}

void rows_clear(Rows *rows) {
    RowColumn columns[ROW_COLUMNS];
    int count = row_columns(rows, columns);
    for (int i = 0; i < count; i++)
        free(row_column_array(&columns[i]));
    *rows = (Rows){.length = rows->length};
}

Status rows_add_players(Rows *rows, Error *err) {
    if (rows->has_players) return OK;
    Status status = rows->capacity ? mem_new(rows->capacity * METADATA_COUNT, sizeof *rows->players,
                                             &rows->players, err)
                                   : OK;
    rows->has_players = !status;
    return status;
}

Status rows_add_points(Rows *rows, unsigned columns, Error *err) {
    size_t area = (size_t)rows->length * (size_t)rows->length;
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        unsigned bit = 1u << c;
        if (!(columns & bit) || rows->point_columns & bit) continue;
        Status status = rows->capacity ? mem_new(rows->capacity * area, sizeof *rows->points[c],
                                                 &rows->points[c], err)
                                       : OK;
        if (status) return status;
        rows->point_columns |= bit;
    }
    return OK;
}

Status rows_reserve(Rows *rows, size_t wanted, Error *err) {
    RowColumn columns[ROW_COLUMNS];
    Status status = OK;
    size_t grown = rows->capacity;
    if (wanted <= grown) return OK;
    int count = row_columns(rows, columns);
    for (int i = 0; i < count && !status; i++) {
        grown = rows->capacity;
        status =
            mem_grow(columns[i].array_pointer, &grown, wanted, row_column_bytes(&columns[i]), err);
    }
    if (!status) rows->capacity = grown;
    return status;
}

Status rows_append(Rows *rows, const Rows *from, size_t first, size_t count, Error *err) {
    RowColumn to[ROW_COLUMNS], source[ROW_COLUMNS];
    if (from->length != rows->length)
        return fail(err, ERR_ARGUMENT, "rows of length %d cannot be added to rows of length %d",
                    from->length, rows->length);
    if (first > from->count || count > from->count - first)
        return fail(err, ERR_ARGUMENT,
                    "wanted %zu rows from row %zu on, but there are only %zu rows", count, first,
                    from->count);
    Status status = rows_reserve(rows, rows->count + count, err);
    if (status || !count) return status;
    Rows view = *from; /* copied after the growth, because `from` may be `rows` */
    int columns = row_columns(rows, to), known = row_columns(&view, source);
    for (int i = 0, k = 0; i < columns; i++) {
        size_t bytes = row_column_bytes(&to[i]);
        char *added = row_column_array(&to[i]) + rows->count * bytes;
        while (k < known && source[k].id < to[i].id)
            k++;
        if (k < known && source[k].id == to[i].id)
            memcpy(added, row_column_array(&source[k]) + first * bytes, count * bytes);
        else
            memset(added, 0, count * bytes);
    }
    rows->count += count;
    return OK;
}

RowBoard rows_board(const Rows *rows, size_t row) {
    size_t length = (size_t)rows->length, bytes = (length * length + 7) / 8;
    const uint8_t *plane = rows->planes + row * FEATURE_PLANES * bytes;
    RowBoard board = {0, 0};
    while (board.width < rows->length && row_plane_bit(plane, (size_t)board.width))
        board.width++;
    while (board.height < rows->length && row_plane_bit(plane, (size_t)board.height * length))
        board.height++;
    return board;
}

bool rows_have_leads(const Rows *rows) {
    for (size_t n = 0; n < rows->count; n++) {
        if (rows->targets[n * ROW_GLOBAL_TARGETS + TARGET_WEIGHT_LEAD] > 0) return true;
    }
    return false;
}

GameMode row_mode(const float targets[ROW_GLOBAL_TARGETS]) {
    float mode = targets[TARGET_MODE];
    return mode >= 0 && mode < GAME_MODES ? (GameMode)mode : GAME_NORMAL;
}
