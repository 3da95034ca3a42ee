/* Measures the speed of a large matrix product: infer_measure_peak(). */
#include <stdint.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/infer/infer.h"
#include "nn/kernels/conv/conv_int8.h"

enum { EDGE = 32, SIDE = EDGE * EDGE };

/* A product of SIDE x SIDE matrices, by a oneDNN layer or by our int8 kernel. */
typedef struct {
    OnednnLayer *layer;
    const void *x;
    void *y, *scratch;
    ConvInt8 *int8;
    ConvInt8Call board;
} Gemm;

static Status multiply(const Gemm *gemm, Error *err) {
    if (gemm->layer) return onednn_layer_run(gemm->layer, gemm->x, gemm->y, gemm->scratch, err);
    conv_int8_board(gemm->int8, &gemm->board);
    return OK;
}

static Status repeat(const Gemm *gemm, double seconds, double *out, Error *err) {
    Status status = multiply(gemm, err); /* warm-up */
    double start = clock_seconds(), spent = 0.0, best = 1e30;
    while (!status && spent < seconds) {
        double before = clock_seconds();
        status = multiply(gemm, err);
        double after = clock_seconds();
        if (after - before < best) best = after - before;
        spent = after - start;
    }
    *out = 2.0 * SIDE * SIDE * SIDE / best * 1e-9;
    return status;
}

/* Measures int8 as a 1 x 1 convolution in our own kernel. */
static Status measure_int8(double seconds, double *out, Error *err) {
    float *weights = NULL, *scales = NULL, *y = NULL;
    uint8_t *zero_points = NULL, *x = NULL;
    ConvInt8 *conv = NULL;
    const size_t square = (size_t)SIDE * SIDE;
    Status status = mem_new(square, sizeof *weights, &weights, err);
    if (!status) status = mem_new(SIDE, sizeof *scales, &scales, err);
    if (!status) status = mem_new(SIDE, 1, &zero_points, err);
    if (!status) status = mem_new_aligned(square, 1, &x, err);
    if (!status) status = mem_new_aligned(square, sizeof *y, &y, err);
    for (size_t i = 0; !status && i < square; i++) {
        weights[i] = (float)(i % 13) - 6.0f;
        x[i] = (uint8_t)(i % 101);
        scales[i % SIDE] = 1.0f;
    }
    const ConvInt8Setup setup = {.height = EDGE,
                                 .width = EDGE,
                                 .in_channels = SIDE,
                                 .out_channels = SIDE,
                                 .kernel = 1,
                                 .weights = weights,
                                 .input_scales = scales,
                                 .input_zero_points = zero_points};
    if (!status) status = conv_int8_new(&setup, &conv, err);
    const Gemm gemm = {.int8 = conv, .board = {.x = x, .y = y}};
    if (!status) status = repeat(&gemm, seconds, out, err);
    conv_int8_free(conv);
    free(y);
    free(x);
    free(zero_points);
    free(scales);
    free(weights);
    return status;
}

Status infer_measure_peak(Precision precision, double seconds, double *out, Error *err) {
    OnednnInfer *onednn = NULL;
    OnednnLayer *layer = NULL;
    float *values = NULL;
    unsigned char *scratch = NULL;
    if (precision == PRECISION_AUTO)
        precision = backend_has_bf16() ? PRECISION_BF16 : PRECISION_F32;
    if (precision == PRECISION_BF16 && backend_isa() < ISA_AVX512)
        precision = PRECISION_F32; /* as infer_new() runs it */
    if (precision == PRECISION_INT8) return measure_int8(seconds, out, err);
    onednn_infer_single();
    const size_t square = (size_t)SIDE * SIDE;
    Status status = mem_new_aligned(3 * square, sizeof *values, &values, err);
    for (size_t i = 0; !status && i < square; i++)
        values[i] = (float)(i % 13) * 0.01f;
    if (!status) status = onednn_infer_new(&onednn, err);
    const OnednnLayerSetup setup = {.dense = true,
                                    .samples = SIDE,
                                    .in_channels = SIDE,
                                    .out_channels = SIDE,
                                    .height = 1,
                                    .width = 1,
                                    .kernel_h = 1,
                                    .kernel_w = 1,
                                    .bf16 = precision == PRECISION_BF16,
                                    .weights = values};
    if (!status) status = onednn_layer_new(onednn, &setup, &layer, err);
    if (!status) status = mem_new_aligned(onednn_layer_scratch_bytes(layer) + 1, 1, &scratch, err);
    if (!status) {
        const Gemm gemm = {
            .layer = layer, .x = values + square, .y = values + 2 * square, .scratch = scratch};
        status = repeat(&gemm, seconds, out, err);
    }
    free(scratch);
    onednn_layer_free(layer);
    onednn_infer_free(onednn);
    free(values);
    return status;
}
