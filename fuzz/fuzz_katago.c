/* fuzz_katago.c - any bytes as one of KataGo's nets: what is read is finite, and is the same after
 * it was written as ours and read again. */
#include <stdlib.h>
#include <string.h>

#include "eval/features/model_format.h"
#include "eval/formats/katago_net.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

static void check(bool good) {
    if (!good) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Net *net, *copy;
    ModelFormat model_format;
    if (katago_net_read((const char *)bytes, count, &net, NULL)) return 0;
    check(net_is_finite(net, NULL));
    check(!model_format_of(net, &model_format, NULL));
    check(!net_copy(net, &copy, NULL));
    check(strcmp(net_hash(net).text, net_hash(copy).text) == 0);
    net_free(net);
    net_free(copy);
    return 0;
}
