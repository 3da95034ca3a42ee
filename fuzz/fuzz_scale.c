/* fuzz_scale.c - reads any text as the scales with which a net runs in int8. If the scales can
 * be read, they must not change when they are written and read again. The net must run with
 * them, or the executor must refuse the net. */
#include "fuzz.h"

#include <math.h>

#include "nn/infer/infer.h"
#include "nn/infer/infer_quantisation.h"

enum { SIZE = 4, PLANES = 3, GLOBALS = 2, BATCH = 2 };

static Net *net;

static void make_net(void) {
    Program *program;
    Rng rng = rng_seeded(1);
    CHECK(!program_new(&program, NULL));
    Value planes = program_input(program, "planes", KIND_SPATIAL, PLANES);
    Value globals = program_input(program, "globals", KIND_VECTOR, GLOBALS);
    program_set_mask(program, planes, 0);
    Value x = program_conv(program, "a", planes, 16, 3, -1);
    x = program_add_broadcast(program, x, program_dense(program, "g", globals, 16, -1));
    x = program_mask(program, program_activation(program, x, ACTIVATION_MISH));
    Value y = program_conv(program, "b", x, 16, 3, -1);
    y = program_add(program, y, program_conv(program, "c", x, 16, 1, -1));
    program_output(program, "y", program_conv(program, "d", y, 1, 1, -1));
    CHECK(!net_new(program, &rng, &net, NULL));
}

static bool are_within(const Quantisation *scales, float min, float max) {
    for (int i = 0; i < scales->count; i++) {
        for (int c = 0; c < scales->layers[i].channels; c++) {
            if (scales->layers[i].scales[c] < min || scales->layers[i].scales[c] > max)
                return false;
        }
    }
    return true;
}

/* Writes the scales and reads them again. Does nothing if a scale is near one of the bounds,
 * 1e-20 and 1e20. There, a scale may be rounded to a float beyond the bound, which cannot be
 * read again. */
static void check_quantisation(const Quantisation *scales) {
    Quantisation *again;
    Net *copy;
    if (!are_within(scales, 1e-19f, 1e19f)) return;
    CHECK(!net_copy(net, &copy, NULL));
    CHECK(!quantisation_write(scales, copy, NULL));
    CHECK(!quantisation_read(copy, &again, NULL));
    CHECK(again->count == scales->count);
    for (int i = 0; i < scales->count; i++) {
        const LayerQuantisation *layer = &scales->layers[i],
                                *same = quantisation_find(again, layer->name, layer->channels);
        CHECK(same && quantisation_equal(layer, same) && same->winograd == layer->winograd);
    }
    quantisation_free(again);
    net_free(copy);
}

static void run_net(bool moderate) {
    const InferSetup setup = {
        .batch = BATCH, .height = SIZE, .width = SIZE, .precision = PRECISION_INT8};
    Error fault = {0};
    Infer *infer;
    if (infer_new(net, &setup, &infer, &fault)) {
        CHECK(*fault.message != 0);
        return;
    }
    for (int i = 0; i < BATCH * SIZE * SIZE * PLANES; i++)
        infer_input(infer, 0)[i] = i % PLANES ? (float)(i % 7) - 3 : 1;
    for (int i = 0; i < BATCH * GLOBALS; i++)
        infer_input(infer, 1)[i] = (float)i;
    CHECK(!infer_run(infer, BATCH, NULL));
    for (int i = 0; i < BATCH * SIZE * SIZE && moderate; i++)
        CHECK(isfinite(infer_output(infer, 0)[i]));
    infer_free(infer);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    Quantisation *scales;
    Error fault = {0};
    bool moderate = false;
    char *text = fuzz_text(bytes, count);
    if (!net) make_net();
    CHECK(!net_set_note(net, QUANTISATION_NOTE, text, NULL));
    if (quantisation_read(net, &scales, &fault)) {
        CHECK(*fault.message != 0 && !scales);
    } else {
        check_quantisation(scales);
        moderate = are_within(scales, 1e-6f, 1e3f); /* no sum can overflow */
        quantisation_free(scales);
    }
    run_net(moderate);
    free(text);
    return 0;
}
