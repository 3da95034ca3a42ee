/* conv_int8_transform.h - the transforms of conv_int8_winograd.h. The transform of the inputs turns
 * four cells of a row into the four elements of a transformed row, which are called places. The
 * transform of the outputs turns four places into two cells. Threading: free functions without
 * state. */
#pragma once
#include "nn/kernels/conv/conv_int8_call.h"

enum {
    INT8_PLACES = 4,
    INT8_TILE_BLOCK = 36,     /* maximum number of tiles that are multiplied at once */
    INT8_INPUT_LANES = 32,    /* `in` is a multiple of this */
    INT8_TRANSFORM_ZERO = 128 /* see int8_transform_scale() */
};

typedef struct {
    int height, width, across; /* size of the board; tiles in a row */
    int in, out, padded;       /* channels; `padded` is `out` rounded up to whole groups */
    bool fast;                 /* use AVX-512 */
    float *bias;               /* (padded) */
    int16_t *zero_points;      /* zero points of the inputs, (in) */
} Int8Transform;

/* Returns the scale with which the transformed inputs t at a place are rounded:
 *     int8 value = round(t * scale / 2^15) + zero_point, limited to 0 to 255
 * At place 1, t is the sum of two inputs minus twice their zero point, and zero_point is the zero
 * point of the inputs. At the other places, t is a difference of two inputs, and zero_point is
 * INT8_TRANSFORM_ZERO. */
int int8_transform_scale(int place);
/* Transforms all rows of a bordered board to v (place, height + 2, across, in). `board` and
 * `stride` are those of int8_winograd_board(). */
void int8_transform_input(const Int8Transform *transform, const uint8_t *board, size_t stride,
                          uint8_t *v);
/* Transforms m (place, INT8_TILE_BLOCK, padded) of the tiles first .. first + count - 1, counted
 * row by row, back to cells and stores them as the call says. */
void int8_transform_output(const Int8Transform *transform, const float *m, int first, int count,
                           const ConvInt8Call *call);
