/* conv_int8_winograd.h - the part of conv_int8.h that computes 3 x 3 convolutions in int8 by
 * Winograd's F(2, 3) along the rows of a board. Two neighbouring results are computed from four
 * cells in each of three rows, with 12 products instead of 18. For a row g of the kernel and
 * four cells d, it computes (Winograd 1980; Lavin and Gray 2016, "Fast algorithms for convolutional
 * neural networks", section 4)
 *     Y = A' [(G g) . (B' d)]
 * and sums this over the rows of the kernel.
 * Transformed inputs are rounded to int8; values near the ends of their possible range are clipped.
 * Transformed weights are rounded to int8 with a scale for each output channel and each of the four
 * elements of a transformed row. F(2, 3) in both directions would have 16 products instead of 36,
 * but it would need two bits more, and in int8 it was too inaccurate.
 * Threading: confined. */
#pragma once
#include "base/error.h"
#include "nn/kernels/conv/conv_int8_call.h"

typedef struct Int8Winograd Int8Winograd;

bool int8_winograd_can(const ConvInt8Setup *setup);
/* ERR_ARGUMENT: the weights times the scales are not finite. */
MUST_USE Status int8_winograd_new(const ConvInt8Setup *setup, Int8Winograd **out, Error *err);
void int8_winograd_free(Int8Winograd *winograd); /* NULL is fine */
/* Runs one board. `board` has `stride` cells in a row, with a border of one cell at the top and at
 * the left, and of two cells at the bottom and at the right. */
void int8_winograd_board(Int8Winograd *winograd, const uint8_t *board, size_t stride,
                         const ConvInt8Call *call);
