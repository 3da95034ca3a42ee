/* conv_int8_transform.h - inside conv_int8: the transforms of conv_int8_winograd. Threading: free
 * functions without state. */
#pragma once
#include "nn/kernels/conv/conv_int8_call.h"

enum { INT8_PLACES = 4, INT8_TILE_BLOCK = 36, INT8_INPUT_LANES = 32, INT8_TRANSFORM_ZERO = 128 };

typedef struct {
    int height, width, across; /* of the board; tiles a row */
    int in, out, padded;       /* channels; `padded` is `out` in whole groups */
    bool fast;                 /* AVX-512 */
    float *bias;               /* (padded) */
    int16_t *zero_points;      /* of the sources, (in) */
} Int8Transform;

/* A transformed input times this / 2^15 is its byte less the byte for 0: that of the sources in
 * place 1, which has a sum, else INT8_TRANSFORM_ZERO. */
int int8_transform_scale(int place);
/* All rows of the bordered board: v (place, height + 2, across, in). `board` and `stride` as
 * int8_winograd_board() has them. */
void int8_transform_input(const Int8Transform *transform, const uint8_t *board, size_t stride,
                          uint8_t *v);
/* Tiles first .. first + count - 1 by rows: m (place, INT8_TILE_BLOCK, padded) to what the call wants.
 */
void int8_transform_output(const Int8Transform *transform, const float *m, int first, int count,
                           const ConvInt8Call *call);
