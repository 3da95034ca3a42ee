/* fuzz_lc0.c - reads any bytes as a chunk of lc0's records. The input has the short form that
 * fuzz_foreign.h explains. */
#include "fuzz_foreign.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    size_t length;
    char *file = fuzz_expand(bytes, count, &length);
    fuzz_read_foreign(&FOREIGN_LC0, file, length);
    free(file);
    return 0;
}
