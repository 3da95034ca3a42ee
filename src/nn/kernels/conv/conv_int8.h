/* conv_int8.h - square convolutions of small boards for inference in 8 bits: sources are bytes,
 * x = (q - zero) * step by channel; weights are rounded to signed bytes by output channel; sums are
 * exact in 32 bits, so every processor gives the same ones. Stride 1, zero padding, channels last.
 * What is not a number becomes 0 in bytes and by relu.
 * With AVX512_VNNI where backend_isa() has it, else plain C. Jacob et al. 2018, "Quantization and
 * training of neural networks for efficient integer-arithmetic-only inference", section 2.
 * Threading: confined. */
#pragma once
#include "base/error.h"
#include "nn/kernels/conv/conv_int8_call.h"

typedef struct ConvInt8 ConvInt8;

/* The most products in a sum, kernel * kernel * in_channels: each is within 255 * 127, all of them
 * within 2^31 - 1. */
enum { CONV_INT8_DEPTH_MAX = INT32_MAX / (255 * 127) };

/* What `spec` points to is copied. ERR_UNSUPPORTED: an even kernel, or more products in a sum than
 * CONV_INT8_DEPTH_MAX; ERR_ARGUMENT: weights (times steps) or bias are not finite. */
MUST_USE Status conv_int8_new(const ConvInt8Setup *setup, ConvInt8 **out, Error *err);
void conv_int8_free(ConvInt8 *conv);                            /* NULL is fine */
void conv_int8_board(ConvInt8 *conv, const ConvInt8Call *call); /* one board */
