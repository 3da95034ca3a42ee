#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/infer.h"

enum { SIDE = 1024 };

static Status repeat(OnednnLayer *layer, const void *x, void *y, void *scratch, double seconds,
                     double *out, Error *err) {
    Status status = onednn_layer_run(layer, x, y, scratch, err); /* warm-up */
    double start = clock_seconds(), spent = 0.0, best = 1e30;
    while (!status && spent < seconds) {
        double before = clock_seconds();
        status = onednn_layer_run(layer, x, y, scratch, err);
        double after = clock_seconds();
        if (after - before < best) best = after - before;
        spent = after - start;
    }
    *out = 2.0 * SIDE * SIDE * SIDE / best * 1e-9;
    return status;
}

Status infer_measure_peak(Precision precision, double seconds, double *out, Error *err) {
    OnednnInfer *onednn = NULL;
    OnednnLayer *layer = NULL;
    float *values = NULL;
    unsigned char *scratch = NULL;
    if (precision == PRECISION_AUTO)
        precision = backend_has_bf16() ? PRECISION_BF16 : PRECISION_F32;
    if (precision == PRECISION_INT8)
        return fail(err, ERR_UNSUPPORTED, "the peak of int8 is not measured yet");
    onednn_infer_single();
    const size_t square = (size_t)SIDE * SIDE;
    Status status = mem_new_aligned(3 * square, sizeof *values, &values, err);
    for (size_t i = 0; !status && i < square; i++)
        values[i] = (float)(i % 13) * 0.01f;
    if (!status) status = onednn_infer_new(&onednn, err);
    const OnednnLayerSpec spec = {.dense = true,
                                  .samples = SIDE,
                                  .in_channels = SIDE,
                                  .out_channels = SIDE,
                                  .height = 1,
                                  .width = 1,
                                  .kernel_h = 1,
                                  .kernel_w = 1,
                                  .half = precision == PRECISION_BF16,
                                  .weights = values};
    if (!status) status = onednn_layer_new(onednn, &spec, &layer, err);
    if (!status) status = mem_new_aligned(onednn_layer_scratch_bytes(layer) + 1, 1, &scratch, err);
    if (!status)
        status = repeat(layer, values + square, values + 2 * square, scratch, seconds, out, err);
    free(scratch);
    onednn_layer_free(layer);
    onednn_infer_free(onednn);
    free(values);
    return status;
}
