/* fuzz_rows.c - any bytes as a row file: what is read must be written and read again as the same.
 */
#include "data/row_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void check(bool good) {
    if (!good) abort();
}

static void check_same(const Rows *a, const Rows *b) {
    check(a->length == b->length && a->count == b->count);
    size_t cells = a->count * (size_t)(a->length * a->length);
    check(memcmp(a->globals, b->globals, a->count * FEATURE_GLOBALS * sizeof *a->globals) == 0);
    check(memcmp(a->q_values, b->q_values, 3 * (cells + a->count) * sizeof *a->q_values) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    static char path[64], copy[64];
    if (!*path) {
        snprintf(path, sizeof path, "/tmp/aji_fuzz_rows_%d.npz", (int)getpid());
        snprintf(copy, sizeof copy, "/tmp/aji_fuzz_rows_%d.copy.npz", (int)getpid());
    }
    FILE *file = fopen(path, "wb");
    check(file != NULL);
    check(fwrite(bytes, 1, count, file) == count);
    check(fclose(file) == 0);
    Rows rows, again;
    Error fault = {0};
    int64_t counted;
    if (row_file_count(path, &counted, &fault)) check(*fault.message != 0);
    if (!row_file_read(path, &rows, &fault)) {
        check(!row_file_write(copy, &rows, NULL));
        check(!row_file_read(copy, &again, NULL));
        check_same(&rows, &again);
        rows_clear(&rows);
        rows_clear(&again);
        remove(copy);
    } else {
        check(*fault.message != 0);
    }
    remove(path);
    return 0;
}
