/* fuzz_lc0_net.c - reads any bytes as an unpacked net file of lc0. Its contents must be listed, or
 * it must be refused with a message. If the bytes can be read as a net, its weights must be finite.
 * A net for Go that can be written again must come back with the same ops. */
#include "fuzz.h"

#include "eval/formats/lc0/lc0_net.h"
#include "eval/formats/lc0/lc0_read.h"
#include "eval/formats/lc0/lc0_save.h"

static void check_list(const uint8_t *bytes, size_t count) {
    StrBuf out = {0};
    Error fault = {0};
    Status status = lc0_net_describe_bytes(bytes, count, "a.pb", &out, &fault);
    CHECK(status == OK || ((status == ERR_SYNTAX || status == ERR_UNSUPPORTED) && *fault.message));
    CHECK(status || strstr(strbuf_text(&out), "a.pb: a net of lc0"));
    strbuf_clear(&out);
}

static void check_saved(const Net *net) {
    Path path = fuzz_path("net.pb");
    Net *again = NULL;
    Error fault = {0};
    Status status = lc0_net_save(net, path.text, &fault);
    CHECK(status == OK || *fault.message);
    if (status) return;
    CHECK(!lc0_net_load(path.text, &again, NULL));
    CHECK(program_output_count(net_program(net)) == program_output_count(net_program(again)));
    net_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Net *net;
    bool chess;
    Error fault = {0};
    check_list(bytes, count);
    if (lc0_net_read_parts(bytes, count, "a.pb", &net, &chess, &fault)) {
        CHECK(*fault.message);
        return 0;
    }
    CHECK(net_is_finite(net, NULL));
    if (!chess) check_saved(net);
    net_free(net);
    return 0;
}
