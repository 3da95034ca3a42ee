/* conv_bf16.h - square convolutions of small boards for training, in bf16 with sums in f32. Stride
 * 1, zero padding, channels last. Boards run one after another, so that all values of a board stay
 * in the nearest caches. The sums are those of ops/conv.c on inputs rounded to bf16, in another
 * order; the same call gives the same bits. The kernels need AVX512_BF16; conv_bf16_can() is false
 * where the processor lacks it or where a shape does not fit. Threading: confined. */
#pragma once
#include "base/error.h"

typedef struct ConvBf16 ConvBf16;

typedef struct {
    int height, width, in_channels, out_channels, kernel; /* kernel is odd */
} ConvBf16Setup;

bool conv_bf16_can(const ConvBf16Setup *setup);
MUST_USE Status conv_bf16_new(const ConvBf16Setup *setup, ConvBf16 **out, Error *err);
void conv_bf16_free(ConvBf16 *conv); /* NULL is fine */

/* x (n, h, w, in), weights (out, kh, kw, in), y (n, h, w, out), all in f32. y is written. The
 * weights are kept in bf16; NULL means the weights of the last call of this function. The same
 * holds for the next function. */
void conv_bf16_forward(ConvBf16 *conv, int n, const float *x, const float *weights, float *y);
/* dx is written or, with `add`, added to. */
void conv_bf16_backward_data(ConvBf16 *conv, int n, const float *dy, const float *weights,
                             float *dx, bool add);
/* Adds to `gradient`, which has the shape of the weights. */
void conv_bf16_backward_weights(ConvBf16 *conv, int n, const float *x, const float *dy,
                                float *gradient);
