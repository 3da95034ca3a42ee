/* conv_int8.h - convolutions with square kernels on small boards for inference in int8. The stride
 * is 1, borders are padded with zeros, and channels come last. Inputs are unsigned, with a scale
 * and a zero point for each channel: x = (q - zero_point) * scale. Weights are rounded to signed
 * int8 with a scale for each output channel. Sums are exact in 32 bits, so every processor gives
 * the same sums. Relu turns NaN into 0, and rounding to int8 turns NaN into the integer 0.
 * The code uses AMX or AVX512_VNNI where backend_isa() has them, and otherwise plain C. The method is that
 * of Jacob et al. 2018, "Quantization and training of neural networks for efficient
 * integer-arithmetic-only inference", section 2.
 * Threading: confined. */
#pragma once
#include "base/error.h"
#include "nn/kernels/conv/conv_int8_call.h"

typedef struct ConvInt8 ConvInt8;

/* The maximum number of products in a sum, kernel * kernel * in_channels. Each product is at most
 * 255 * 127, and the sum must stay within 2^31 - 1. */
enum { CONV_INT8_DEPTH_MAX = INT32_MAX / (255 * 127) };

/* Copies what `setup` points to. ERR_UNSUPPORTED: the kernel size is even, or a sum has more than
 * CONV_INT8_DEPTH_MAX products. ERR_ARGUMENT: a bias, or the product of a weight and the scale of
 * its input, is not finite. */
MUST_USE Status conv_int8_new(const ConvInt8Setup *setup, ConvInt8 **out, Error *err);
/* Whether this processor (by AMX) computes this convolution faster without `winograd`. */
bool conv_int8_is_fast_directly(const ConvInt8Setup *setup);
void conv_int8_free(ConvInt8 *conv);                            /* NULL is fine */
void conv_int8_board(ConvInt8 *conv, const ConvInt8Call *call); /* runs one board */
