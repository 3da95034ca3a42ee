/* conv_bytes_tiles.h - inside conv_bytes: 3 x 3 convolutions in bytes by Winograd's F(2 x 2, 3 x
 * 3), 16 products for 36. Lavin and Gray 2016, "Fast algorithms for convolutional neural networks",
 * section 4.1: Y = A' [(G g G') . (B' d B)] A. Transformed inputs are rounded to bytes within half
 * of the range that they could have, transformed weights by place and output channel. Threading:
 * confined. */
#pragma once
#include "nn/kernels/conv_bytes.h"

typedef struct BytesTiles BytesTiles;

bool bytes_tiles_can(const ConvBytesSpec *spec);
/* ERR_ARGUMENT: weights (times steps) are not finite. */
MUST_USE Status bytes_tiles_new(const ConvBytesSpec *spec, BytesTiles **out, Error *err);
void bytes_tiles_free(BytesTiles *tiles); /* NULL is fine */
/* `board`: bytes with a border of one cell before and two behind, `stride` cells a row, in the
 * channels' own order. */
void bytes_tiles_board(BytesTiles *tiles, const uint8_t *board, size_t stride,
                       const ConvBytesCall *call);
