/* conv_int8_transform.h - part of conv_int8: the transforms of conv_int8_winograd.h. Threading:
 * free functions without state. */
#pragma once
#include "nn/kernels/conv/conv_int8_call.h"

enum { INT8_PLACES = 4, INT8_TILE_BLOCK = 36, INT8_INPUT_LANES = 32, INT8_TRANSFORM_ZERO = 128 };

typedef struct {
    int height, width, across; /* of the board; tiles in a row */
    int in, out, padded;       /* channels; `padded` is `out` rounded up to whole groups */
    bool fast;                 /* use AVX-512 */
    float *bias;               /* (padded) */
    int16_t *zero_points;      /* of the inputs, (in) */
} Int8Transform;

/* The scale of a transformed input: times this / 2^15 it is its int8 value less its zero point. The
 * zero point is that of the input in place 1, which holds a sum, else INT8_TRANSFORM_ZERO. */
int int8_transform_scale(int place);
/* Transforms all rows of a bordered board to v (place, height + 2, across, in). `board` and
 * `stride` are those of int8_winograd_board(). */
void int8_transform_input(const Int8Transform *transform, const uint8_t *board, size_t stride,
                          uint8_t *v);
/* Transforms m (place, INT8_TILE_BLOCK, padded) of the tiles first .. first + count - 1, counted
 * row by row, to what the call wants. */
void int8_transform_output(const Int8Transform *transform, const float *m, int first, int count,
                           const ConvInt8Call *call);
