/* fuzz_rows.c - reads any bytes as a row file, or as the arrays of a row file. If the rows can be
 * read, they must not change when they are written and read again. */
#include "fuzz.h"

#include "base/formats/archive.h"
#include "data/rows/row_file.h"

static void check_bytes(const void *a, const void *b, size_t count) {
    CHECK(!count || memcmp(a, b, count) == 0);
}

static void check_same(const Rows *a, const Rows *b) {
    CHECK(a->length == b->length && a->count == b->count);
    size_t n = a->count, area = (size_t)(a->length * a->length);
    check_bytes(a->planes, b->planes, n * FEATURE_PLANES * ((area + 7) / 8));
    check_bytes(a->globals, b->globals, n * FEATURE_GLOBALS * sizeof *a->globals);
    check_bytes(a->policy, b->policy, n * 2 * (area + 1) * sizeof *a->policy);
    check_bytes(a->targets, b->targets, n * ROW_GLOBAL_TARGETS * sizeof *a->targets);
    check_bytes(a->score, b->score, n * (2 * area + 120));
    check_bytes(a->values, b->values, n * 5 * area);
    check_bytes(a->q_values, b->q_values, n * 3 * (area + 1) * sizeof *a->q_values);
    CHECK(a->point_columns == b->point_columns);
    for (int c = 0; c < ROW_POINT_COLUMNS; c++) {
        if (a->points[c]) check_bytes(a->points[c], b->points[c], n * area * sizeof *a->points[c]);
    }
}

static void check_file(const char *path, const char *copy) {
    Rows rows, again;
    Error fault = {0};
    RowFileSize size;
    if (row_file_read(path, &rows, &fault)) {
        CHECK(*fault.message != 0);
        return;
    }
    CHECK(!row_file_size(path, &size, NULL) && size.rows == (int64_t)rows.count);
    CHECK(!row_file_write(copy, &rows, NULL));
    CHECK(!row_file_read(copy, &again, NULL));
    check_same(&rows, &again);
    rows_clear(&rows);
    rows_clear(&again);
    CHECK(!file_remove(copy, NULL));
}

/* Writes an archive with correct checksums, because the reader would stop at wrong checksums. For
 * each array, the input has a byte that chooses the name of the array, two bytes of length, and the
 * array. */
static void write_members(const char *path, const uint8_t *bytes, size_t count) {
    static const char *const NAMES[] = {
        "binaryInputNCHWPacked", "globalInputNC",        "policyTargetsNCMove",
        "globalTargetsNC",       "scoreDistrN",          "valueTargetsNCHW",
        "qValueTargetsNCMove",   "valueTargetsNCHW.npy", "nextOccupantTargetsNHW",
        "timeOnBoardTargetsNHW", "sameChainTargetsNHW",
    };
    enum { COUNT = sizeof NAMES / sizeof *NAMES };
    ZipWriter *zip;
    CHECK(!zip_writer_open(path, 0, &zip, NULL));
    while (count >= 3) {
        size_t length = (size_t)bytes[1] | (size_t)bytes[2] << 8;
        if (length > count - 3) length = count - 3;
        CHECK(!zip_writer_add(zip, NAMES[bytes[0] % COUNT], bytes + 3, length, NULL));
        bytes += 3 + length;
        count -= 3 + length;
    }
    CHECK(!zip_writer_commit(zip, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Path path = fuzz_path("rows.npz"), copy = fuzz_path("copy.npz");
    if (count >= 2 && memcmp(bytes, "PK", 2) == 0)
        fuzz_write(path.text, bytes, count);
    else
        write_members(path.text, bytes, count);
    check_file(path.text, copy.text);
    CHECK(!file_remove(path.text, NULL));
    return 0;
}
