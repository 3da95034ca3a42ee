/* fuzz_net.c - reads any bytes twice: as the text of a net's program, and as a net file. If the
 * program can be read, it must not change when it is written and read again. If the net can be
 * read, its weights must be finite, and a copy of the net must have the same hash. */
#include "fuzz.h"

#include "nn/graph/net.h"

static void check_program(const char *text, size_t count) {
    Program *program, *again;
    StrBuf first = {0}, second = {0};
    if (program_read(text, count, &program, NULL)) return;
    CHECK(!program_write(program, &first, NULL));
    CHECK(!program_read(first.text, first.length, &again, NULL));
    CHECK(!program_write(again, &second, NULL));
    CHECK(strcmp(first.text, second.text) == 0);
    program_free(program);
    program_free(again);
    strbuf_clear(&first);
    strbuf_clear(&second);
}

static void check_file(const uint8_t *bytes, size_t count) {
    Path path = fuzz_path("net.aji");
    Net *net, *copy;
    fuzz_write_tensors(path.text, bytes, count);
    if (net_load(path.text, &net, NULL)) return;
    CHECK(net_is_finite(net, NULL));
    CHECK(!net_copy(net, &copy, NULL));
    CHECK(strcmp(net_hash(net).text, net_hash(copy).text) == 0);
    net_free(net);
    net_free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    check_program((const char *)bytes, count);
    check_file(bytes, count);
    return 0;
}
