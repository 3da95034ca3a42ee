/* fuzz_lc0_net.c - reads any bytes as an unpacked net file of lc0. Its contents must be listed,
 * or it must be refused with a message. */
#include "fuzz.h"

#include "eval/formats/lc0/lc0_net.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    StrBuf out = {0};
    Error fault = {0};
    Status status = lc0_net_describe_bytes(bytes, count, "a.pb", &out, &fault);
    CHECK(status == OK || (status == ERR_SYNTAX && *fault.message));
    CHECK(status || strstr(strbuf_text(&out), "Aji cannot run it"));
    strbuf_clear(&out);
    return 0;
}
