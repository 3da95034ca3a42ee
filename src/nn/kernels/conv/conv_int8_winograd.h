/* conv_int8_winograd.h - inside conv_int8: 3 x 3 convolutions in bytes by Winograd's F(2, 3) along
 * the rows of a board, 12 products for 18: two results beside each other come from four cells of
 * three rows. Winograd 1980; Lavin and Gray 2016, "Fast algorithms for convolutional neural
 * networks", section 4: Y = A' [(G g) . (B' d)], summed over the rows of the kernel. Transformed
 * inputs are rounded to bytes within most of the range that they could have, transformed
 * weights by place and output channel. Both ways at once, 16 products for 36, would need two bits
 * more and was too coarse. Threading: confined. */
#pragma once
#include "base/error.h"
#include "nn/kernels/conv/conv_int8_call.h"

typedef struct Int8Winograd Int8Winograd;

bool int8_winograd_can(const ConvInt8Setup *setup);
/* ERR_ARGUMENT: weights (times steps) are not finite. */
MUST_USE Status int8_winograd_new(const ConvInt8Setup *setup, Int8Winograd **out, Error *err);
void int8_winograd_free(Int8Winograd *winograd); /* NULL is fine */
/* `board`: bytes with a border of one cell before and two behind, `stride` cells a row, in the
 * channels' own order. */
void int8_winograd_board(Int8Winograd *winograd, const uint8_t *board, size_t stride,
                         const ConvInt8Call *call);
