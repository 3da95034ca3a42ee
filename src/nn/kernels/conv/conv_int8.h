/* conv_int8.h - square convolutions of small boards for inference in int8. Stride 1, zero padding,
 * channels last. Inputs are unsigned: x = (q - zero_point) * scale by channel. Weights are rounded
 * to signed int8 by output channel. Sums are exact in 32 bits, so every processor gives the same
 * ones. NaN becomes 0 in int8 and by relu.
 * Uses AVX512_VNNI where backend_isa() has it, else plain C. Jacob et al. 2018, "Quantization and
 * training of neural networks for efficient integer-arithmetic-only inference", section 2.
 * Threading: confined. */
#pragma once
#include "base/error.h"
#include "nn/kernels/conv/conv_int8_call.h"

typedef struct ConvInt8 ConvInt8;

/* The maximum depth of a sum, kernel * kernel * in_channels: each product is at most 255 * 127, and
 * the sum must stay within 2^31 - 1. */
enum { CONV_INT8_DEPTH_MAX = INT32_MAX / (255 * 127) };

/* Copies what `setup` points to. ERR_UNSUPPORTED: the kernel is even, or a sum is deeper than
 * CONV_INT8_DEPTH_MAX. ERR_ARGUMENT: the bias, or the weights times the scales, are not finite. */
MUST_USE Status conv_int8_new(const ConvInt8Setup *setup, ConvInt8 **out, Error *err);
void conv_int8_free(ConvInt8 *conv);                            /* NULL is fine */
void conv_int8_board(ConvInt8 *conv, const ConvInt8Call *call); /* runs one board */
