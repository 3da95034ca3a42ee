#include "data/rows/row_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/formats/archive.h"
#include "data/rows/row_check.h"
#include "data/rows/row_private.h"

enum {
    HEADER_BYTES = 256,
    OLD_TARGETS = 64 /* targets of a row in older files of KataGo */
};
/* Maximum size of an unpacked file. KataGo's largest files have 70,000 rows of 19x19 and take half
 * of this size. */
static const size_t LIMIT_BYTES = (size_t)1 << 30;

size_t row_file_max_rows(int length) {
    return (LIMIT_BYTES - ROW_COLUMN_PLAYERS * HEADER_BYTES) / rows_bytes(length);
}

static bool fits(const Rows *rows) {
    return rows->count <= row_file_max_rows(rows->length) &&
           rows_total_bytes(rows) <= LIMIT_BYTES - ROW_COLUMNS * HEADER_BYTES;
}

/* Writes the header of an array in NPY format 1.0, padded to 256 bytes as in KataGo. */
static void write_header(const RowColumn *column, size_t rows, unsigned char out[HEADER_BYTES]) {
    char shape[96];
    int used = snprintf(shape, sizeof shape, "%zu", rows);
    for (int i = 0; i < column->rank; i++)
        used += snprintf(shape + used, sizeof shape - (size_t)used, ",%zu", column->dims[i]);
    memset(out, ' ', HEADER_BYTES);
    memcpy(out, "\x93NUMPY\x01\x00", 8);
    out[8] = (HEADER_BYTES - 10) & 255;
    out[9] = (HEADER_BYTES - 10) >> 8;
    int length =
        snprintf((char *)out + 10, HEADER_BYTES - 10,
                 "{'descr':'%s','fortran_order':False,'shape':(%s)}", column->descr, shape);
    out[10 + length] = ' ';
    out[HEADER_BYTES - 1] = '\n';
}

static Status write_column(ZipWriter *zip, const RowColumn *column, size_t rows, Error *err) {
    size_t bytes = rows * row_column_bytes(column);
    unsigned char *member;
    Status status = mem_new(HEADER_BYTES + bytes, 1, &member, err);
    if (status) return status;
    write_header(column, rows, member);
    if (bytes) memcpy(member + HEADER_BYTES, row_column_array(column), bytes);
    status = zip_writer_add(zip, column->name, member, HEADER_BYTES + bytes, err);
    free(member);
    return status;
}

Status row_file_write(const char *path, const Rows *rows, Error *err) {
    ZipWriter *zip;
    RowColumn columns[ROW_COLUMNS];
    Rows view = *rows;
    if (!fits(rows))
        return fail(err, ERR_ARGUMENT,
                    "%s: %zu rows of length %d are more than the %zu that a file may have", path,
                    rows->count, rows->length, row_file_max_rows(rows->length));
    int count = row_columns(&view, columns);
    Status status = zip_writer_open(path, 1, &zip, err);
    if (status) return status;
    bool search_values = rows_have_search_values(rows);
    for (int i = 0; i < count && !status; i++) {
        if (columns[i].id != ROW_COLUMN_SEARCH_VALUES || search_values)
            status = write_column(zip, &columns[i], rows->count, err);
    }
    if (!status) return zip_writer_commit(zip, err);
    zip_writer_abandon(zip);
    return status;
}

/* A NumPy array in a member of the zip archive. */
typedef struct {
    char descr[8]; /* NumPy's element type */
    size_t dims[5];
    int rank;
    const unsigned char *values; /* borrowed */
    size_t bytes;                /* of the values */
} Array;

/* Returns the text after "'key':" in the dictionary of a header, or NULL if the key is missing. */
static const char *value_of_key(const char *dict, const char *key) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    const char *at = strstr(dict, quoted);
    if (!at) return NULL;
    at += strlen(quoted);
    at += strspn(at, " ");
    return *at == ':' ? at + 1 + strspn(at + 1, " ") : NULL;
}

static bool parse_shape(const char *at, Array *out) {
    if (!at || *at++ != '(') return false;
    for (out->rank = 0; *at != ')';) {
        char *end;
        at += strspn(at, " ,");
        if (*at == ')') break;
        unsigned long long dim = strtoull(at, &end, 10);
        if (end == at || *at == '-' || out->rank == 5 || dim > LIMIT_BYTES) return false;
        out->dims[out->rank++] = (size_t)dim;
        at = end + strspn(end, " ,");
        if (!*at) return false;
    }
    return true;
}

static Status parse_array(const ZipMember *member, Array *out, Error *err) {
    size_t header =
        member->count >= 10 ? (size_t)member->bytes[8] | (size_t)member->bytes[9] << 8 : 0;
    char dict[4096];
    *out = (Array){0};
    if (member->count < 10 || memcmp(member->bytes, "\x93NUMPY\x01\x00", 8) != 0 ||
        header >= sizeof dict || 10 + header > member->count)
        return fail(err, ERR_SYNTAX, "%s is not a NumPy array (version 1.0)", member->name);
    memcpy(dict, member->bytes + 10, header);
    dict[header] = 0;
    const char *descr = value_of_key(dict, "descr"), *order = value_of_key(dict, "fortran_order");
    bool good = descr && *descr == '\'' && order && strncmp(order, "False", 5) == 0 &&
                parse_shape(value_of_key(dict, "shape"), out);
    size_t length = good ? strcspn(descr + 1, "'") : 0;
    if (!good || length >= sizeof out->descr)
        return fail(err, ERR_SYNTAX, "%s: cannot parse the NumPy header \"%.80s\"", member->name,
                    dict);
    memcpy(out->descr, descr + 1, length);
    out->values = member->bytes + 10 + header;
    out->bytes = member->count - 10 - header;
    return OK;
}

static const ZipMember *find_member(const ZipMember *members, int count, const char *name) {
    size_t length = strlen(name);
    for (int i = 0; i < count; i++) {
        if (strncmp(members[i].name, name, length) == 0 &&
            (!members[i].name[length] || strcmp(members[i].name + length, ".npy") == 0))
            return &members[i];
    }
    return NULL;
}

static Status read_column(const Array *array, const RowColumn *column, size_t rows, Error *err) {
    size_t bytes = mem_array_bytes(rows, row_column_bytes(column));
    bool same = strcmp(array->descr, column->descr) == 0 && array->rank == column->rank + 1 &&
                array->dims[0] == rows && array->bytes == bytes;
    for (int i = 0; i < column->rank; i++)
        same &= array->dims[i + 1] == column->dims[i];
    if (!same)
        return fail(err, ERR_SYNTAX,
                    "%s has type %s and %zu bytes, wanted %s and %zu bytes for %zu rows",
                    column->name, array->descr, array->bytes, column->descr, bytes, rows);
    void *values;
    Status status = mem_new(bytes, 1, &values, err);
    if (status) return status;
    if (bytes) memcpy(values, array->values, bytes);
    memcpy(column->array_pointer, &values, sizeof values);
    return OK;
}

/* Older files of KataGo have only 64 targets in each row. Adds zeros, so that each row has
 * ROW_GLOBAL_TARGETS targets. */
static Status widen_targets(Array *array, Arena *arena, Error *err) {
    if (array->rank != 2 || array->dims[1] != OLD_TARGETS ||
        array->bytes != array->dims[0] * OLD_TARGETS * sizeof(float))
        return OK;
    unsigned char *wide = arena_alloc(arena, array->dims[0] * ROW_GLOBAL_TARGETS * sizeof(float));
    if (!wide) return fail(err, ERR_MEMORY, "no memory for the targets");
    for (size_t n = 0; n < array->dims[0]; n++)
        memcpy(wide + n * ROW_GLOBAL_TARGETS * sizeof(float),
               array->values + n * OLD_TARGETS * sizeof(float), OLD_TARGETS * sizeof(float));
    array->values = wide;
    array->dims[1] = ROW_GLOBAL_TARGETS;
    array->bytes = array->dims[0] * ROW_GLOBAL_TARGETS * sizeof(float);
    return OK;
}

static Status read_members(const ZipMember *members, int count, Arena *arena, Rows *out,
                           Error *err) {
    RowColumn columns[ROW_COLUMNS];
    Array array;
    const ZipMember *values = find_member(members, count, "valueTargetsNCHW");
    if (!values) return fail(err, ERR_SYNTAX, "valueTargetsNCHW is missing");
    Status status = parse_array(values, &array, err);
    if (status) return status;
    if (array.rank != 4 || array.dims[2] != array.dims[3] || array.dims[2] < 2 ||
        array.dims[2] > BOARD_SIDE_MAX)
        return fail(err, ERR_SYNTAX, "valueTargetsNCHW has an impossible shape");
    size_t rows = array.dims[0];
    *out = (Rows){.length = (int)array.dims[2],
                  .has_players = find_member(members, count, "metadataInputNC")};
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        if (find_member(members, count, ROW_POINT_CLASSES[c].name)) out->point_columns |= 1u << c;
    }
    int column_count = row_columns(out, columns);
    for (int i = 0; i < column_count && !status; i++) {
        const ZipMember *member = find_member(members, count, columns[i].name);
        /* Older files have no q values, and KataGo's files have no search values. */
        if (!member && columns[i].id >= ROW_COLUMN_Q_VALUES) {
            status = mem_new(rows, row_column_bytes(&columns[i]), columns[i].array_pointer, err);
            continue;
        }
        if (!member) status = fail(err, ERR_SYNTAX, "%s is missing", columns[i].name);
        if (!status) status = parse_array(member, &array, err);
        if (!status && columns[i].id == ROW_COLUMN_TARGETS)
            status = widen_targets(&array, arena, err);
        if (!status) status = read_column(&array, &columns[i], rows, err);
    }
    out->count = out->capacity = rows;
    if (!status) status = rows_check(out, err);
    if (!status) out->leads = rows_have_leads(out);
    return status;
}

Status row_file_read(const char *path, Rows *out, Error *err) {
    Arena arena = {0};
    ZipMember *members;
    int count;
    *out = (Rows){.length = 2};
    Status status = zip_read(path, LIMIT_BYTES, &arena, &members, &count, err);
    if (!status) {
        status = read_members(members, count, &arena, out, err);
        if (status) fail_within(err, status, "%s", path);
    }
    arena_clear(&arena);
    if (status) rows_clear(out);
    return status;
}

Status row_file_size(const char *path, RowFileSize *out, Error *err) {
    unsigned char bytes[4096 + 16];
    char name[] = "valueTargetsNCHW";
    ZipPeek peek = {.name = name, .ending = ".npy", .capacity = sizeof bytes, .bytes = bytes};
    Array array;
    *out = (RowFileSize){0};
    Status status = zip_peek(path, &peek, err);
    if (status) return status;
    status = parse_array(&(ZipMember){name, bytes, peek.count}, &array, err);
    if (status) return fail_within(err, status, "%s", path);
    size_t side = array.rank == 4 ? array.dims[2] : 0, header = (size_t)(array.values - bytes),
           values = mem_array_bytes(mem_array_bytes(array.dims[0], array.dims[1]), side * side);
    if (side < 2 || side > BOARD_SIDE_MAX || array.dims[3] != side || array.dims[1] != 5 ||
        peek.size > LIMIT_BYTES || peek.size != header + values)
        return fail(err, ERR_SYNTAX, "%s: valueTargetsNCHW has an impossible shape", path);
    size_t least = array.dims[0] * rows_bytes((int)side);
    *out = (RowFileSize){.rows = (int64_t)array.dims[0],
                         .length = (int)side,
                         .bytes = (int64_t)(least > peek.total_size ? least : peek.total_size)};
    return OK;
}
