/* conv_int8_winograd.h - the part of conv_int8.h that computes 3 x 3 convolutions in int8 by
 * Winograd's F(2, 3) along the rows of a board. Two neighbouring results are computed from four
 * cells in each of three rows, with 12 products instead of 18. For a row g of the kernel and
 * four cells d, it computes (Winograd 1980; Lavin and Gray 2016, "Fast algorithms for convolutional
 * neural networks", section 4)
 *     Y = A' [(G g) . (B' d)]
 * where . multiplies element by element. The sum of these Y over the rows of the kernel is the
 * result.
 * Transformed inputs are rounded to int8; values near the ends of their possible range are clipped.
 * Transformed weights are rounded to int8 with a scale for each output channel and each of the four
 * elements of a transformed row. F(2, 3) in both directions would compute four results with 16
 * products instead of 36. But then the transformed inputs would have two bits more than the inputs,
 * which is too inaccurate in int8.
 * Threading: confined. */
#pragma once
#include "base/error.h"
#include "nn/kernels/conv/conv_int8_call.h"

typedef struct Int8Winograd Int8Winograd;

/* Whether the shape allows this method: a 3 x 3 kernel, a multiple of 32 input channels, and at
 * least 16 output channels. */
bool int8_winograd_can(const ConvInt8Setup *setup);
/* ERR_ARGUMENT: the product of a weight and the scale of its input is not finite. */
MUST_USE Status int8_winograd_new(const ConvInt8Setup *setup, Int8Winograd **out, Error *err);
void int8_winograd_free(Int8Winograd *winograd); /* NULL is fine */
/* Runs one board. `board` has a border of one cell at the top and at the left, and a border of two
 * cells at the bottom and at the right. With the border, a row has `stride` cells. */
void int8_winograd_board(Int8Winograd *winograd, const uint8_t *board, size_t stride,
                         const ConvInt8Call *call);
