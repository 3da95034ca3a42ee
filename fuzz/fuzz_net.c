/* fuzz_net.c - any bytes as a program's text and as a net file: what is read must be written and
 * read again as the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nn/graph/net.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void check(bool good) {
    if (!good) abort();
}

static void check_program(const char *text, size_t count) {
    Program *program, *again;
    StrBuf first = {0}, second = {0};
    if (program_read(text, count, &program, NULL)) return;
    check(!program_write(program, &first, NULL));
    check(!program_read(first.text, first.length, &again, NULL));
    check(!program_write(again, &second, NULL));
    check(strcmp(first.text, second.text) == 0);
    program_free(program);
    program_free(again);
    strbuf_clear(&first);
    strbuf_clear(&second);
}

static void check_file(const uint8_t *bytes, size_t count) {
    static char path[64];
    if (!*path) snprintf(path, sizeof path, "/tmp/aji_fuzz_net_%d.aji", (int)getpid());
    FILE *file = fopen(path, "wb");
    check(file != NULL);
    check(fwrite(bytes, 1, count, file) == count);
    check(fclose(file) == 0);
    Net *net, *copy;
    if (!net_load(path, &net, NULL)) {
        check(net_is_finite(net, NULL));
        check(!net_copy(net, &copy, NULL));
        check(strcmp(net_hash(net).text, net_hash(copy).text) == 0);
        net_free(net);
        net_free(copy);
    }
    remove(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    check_program((const char *)bytes, count);
    check_file(bytes, count);
    return 0;
}
