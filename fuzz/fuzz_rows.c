/* fuzz_rows.c - any bytes as a row file, or as the arrays in one: what is read must be written and
 * read again as the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/archive.h"
#include "data/row_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void check(bool good) {
    if (!good) abort();
}

static void check_bytes(const void *a, const void *b, size_t count) {
    check(!count || memcmp(a, b, count) == 0);
}

static void check_same(const Rows *a, const Rows *b) {
    check(a->length == b->length && a->count == b->count);
    size_t n = a->count, area = (size_t)(a->length * a->length);
    check_bytes(a->planes, b->planes, n * FEATURE_PLANES * ((area + 7) / 8));
    check_bytes(a->globals, b->globals, n * FEATURE_GLOBALS * sizeof *a->globals);
    check_bytes(a->policy, b->policy, n * 2 * (area + 1) * sizeof *a->policy);
    check_bytes(a->targets, b->targets, n * ROW_GLOBAL_TARGETS * sizeof *a->targets);
    check_bytes(a->score, b->score, n * (2 * area + 120));
    check_bytes(a->values, b->values, n * 5 * area);
    check_bytes(a->q_values, b->q_values, n * 3 * (area + 1) * sizeof *a->q_values);
}

static void check_file(const char *path, const char *copy) {
    Rows rows, again;
    Error fault = {0};
    int64_t counted;
    if (row_file_read(path, &rows, &fault)) {
        check(*fault.message != 0);
        return;
    }
    check(!row_file_count(path, &counted, NULL) && counted == (int64_t)rows.count);
    check(!row_file_write(copy, &rows, NULL));
    check(!row_file_read(copy, &again, NULL));
    check_same(&rows, &again);
    rows_clear(&rows);
    rows_clear(&again);
    remove(copy);
}

static void write_raw(const char *path, const uint8_t *bytes, size_t count) {
    FILE *file = fopen(path, "wb");
    check(file != NULL);
    check(fwrite(bytes, 1, count, file) == count);
    check(fclose(file) == 0);
}

/* The bytes as the arrays in a sound archive, so that checksums keep nothing from the reader: for
 * each the number of its name, its length in two bytes, and itself. */
static void write_members(const char *path, const uint8_t *bytes, size_t count) {
    static const char *const NAMES[] = {
        "binaryInputNCHWPacked", "globalInputNC",    "policyTargetsNCMove", "globalTargetsNC",
        "scoreDistrN",           "valueTargetsNCHW", "qValueTargetsNCMove", "valueTargetsNCHW.npy",
    };
    ZipWriter *zip;
    check(!zip_writer_open(path, 0, &zip, NULL));
    while (count >= 3) {
        size_t length = (size_t)bytes[1] | (size_t)bytes[2] << 8;
        if (length > count - 3) length = count - 3;
        check(!zip_writer_add(zip, NAMES[bytes[0] % 8], bytes + 3, length, NULL));
        bytes += 3 + length;
        count -= 3 + length;
    }
    check(!zip_writer_commit(zip, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static char path[512], copy[512];
    const char *folder = getenv("TMPDIR"); /* files are flushed: faster where that is memory */
    if (!*path) {
        if (!folder) folder = "/tmp";
        snprintf(path, sizeof path, "%s/aji_fuzz_rows_%d.npz", folder, (int)getpid());
        snprintf(copy, sizeof copy, "%s/aji_fuzz_rows_%d.copy.npz", folder, (int)getpid());
    }
    if (count >= 2 && memcmp(bytes, "PK", 2) == 0)
        write_raw(path, bytes, count);
    else
        write_members(path, bytes, count);
    check_file(path, copy);
    remove(path);
    return 0;
}
