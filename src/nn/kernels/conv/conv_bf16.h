/* conv_bf16.h - convolutions with square kernels on small boards for training, in bf16 with sums in
 * f32. The stride is 1, borders are padded with zeros, and channels come last. Boards run one after
 * another, or a few at once for the gradient of the weights, so that their values stay in the L1
 * and L2 caches. The sums are those of ops/conv.c, but the factors are rounded to bf16 and the
 * products are added in another order. The same call always gives the same bits. Threading:
 * confined. */
#pragma once
#include "base/error.h"

typedef struct ConvBf16 ConvBf16;

typedef struct {
    int height, width, in_channels, out_channels, kernel; /* kernel is odd */
} ConvBf16Setup;

/* Whether backend_isa() has AVX512_BF16 and the shape is supported: `kernel` is odd and at most 7,
 * and there are at most 1024 cells, 1024 input channels and 1024 output channels. */
bool conv_bf16_can(const ConvBf16Setup *setup);
/* ERR_UNSUPPORTED: conv_bf16_can() is false. */
MUST_USE Status conv_bf16_new(const ConvBf16Setup *setup, ConvBf16 **out, Error *err);
void conv_bf16_free(ConvBf16 *conv); /* NULL is fine */

/* Writes y = convolution of x, with x (n, h, w, in), weights (out, kernel, kernel, in) and y (n, h,
 * w, out), all in f32. The function keeps a copy of the weights in bf16. If `weights` is NULL, it
 * uses the copy from the last call with weights. conv_bf16_backward_data() keeps a copy of its own
 * in the same way. */
void conv_bf16_forward(ConvBf16 *conv, int n, const float *x, const float *weights, float *y);
/* Writes the gradient of x to dx or, with `add`, adds it to dx. */
void conv_bf16_backward_data(ConvBf16 *conv, int n, const float *dy, const float *weights,
                             float *dx, bool add);
/* Adds the gradient of the weights to `gradient`, which has their shape. */
void conv_bf16_backward_weights(ConvBf16 *conv, int n, const float *x, const float *dy,
                                float *gradient);
