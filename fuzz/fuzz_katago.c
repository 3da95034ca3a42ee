/* fuzz_katago.c - reads any bytes as one of KataGo's nets. If the net can be read, its weights
 * must be finite, and it must not change when it is written in Aji's own format and read again. */
#include "fuzz.h"

#include "eval/features/model_format.h"
#include "eval/formats/katago_net.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Net *net, *copy;
    ModelFormat model_format;
    if (katago_net_read((const char *)bytes, count, &net, NULL)) return 0;
    CHECK(net_is_finite(net, NULL));
    CHECK(!model_format_of(net, &model_format, NULL));
    CHECK(!net_copy(net, &copy, NULL));
    CHECK(strcmp(net_hash(net).text, net_hash(copy).text) == 0);
    net_free(net);
    net_free(copy);
    return 0;
}
