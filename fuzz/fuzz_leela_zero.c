/* fuzz_leela_zero.c - reads any bytes as a training file of Leela Zero. If the first byte is a
 * 0, the file has packed records, which the input has in the short form that fuzz_foreign.h
 * explains. Otherwise the file is text. The text has a short form, too: "~N" stands for a line
 * of N zeros. If N is above 100, there are blanks between the zeros. */
#include "fuzz_foreign.h"

static char *expand_text(const uint8_t *bytes, size_t count, size_t *length) {
    StrBuf out = {0};
    char *text = fuzz_text(bytes, count), *copy;
    for (size_t i = 0; i < count; i++) {
        char *after = text + i + 1;
        long zeros = text[i] == '~' ? strtol(text + i + 1, &after, 10) : 0;
        if (zeros <= 0 || zeros > 400 || out.length > (1 << 18)) {
            strbuf_add_bytes(&out, text + i, 1);
            continue;
        }
        for (long k = 0; k < zeros; k++)
            strbuf_add(&out, zeros > 100 ? "0 " : "0");
        i = (size_t)(after - text) - 1;
    }
    free(text);
    *length = out.length;
    copy = fuzz_text((const uint8_t *)strbuf_text(&out), out.length);
    strbuf_clear(&out);
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    size_t length;
    if (!count) return 0;
    char *file =
        bytes[0] ? expand_text(bytes, count, &length) : fuzz_expand(bytes + 1, count - 1, &length);
    fuzz_read_foreign(&FOREIGN_LEELA_ZERO, file, length);
    free(file);
    return 0;
}
