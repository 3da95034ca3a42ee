/* conv_int8_transform.h - inside conv_int8: the transforms of conv_int8_winograd. Threading: free
 * functions without state. */
#pragma once
#include "nn/kernels/conv/conv_int8_call.h"

enum { TILES_PLACES = 4, TILES_BLOCK = 36, TILES_LANES = 32, TILES_ZERO = 128 };

typedef struct {
    int height, width, across; /* of the board; tiles a row */
    int in, out, padded;       /* channels; `padded` is `out` in whole groups */
    bool fast;                 /* AVX-512 */
    float *bias;               /* (padded) */
    int16_t *zeros;            /* of the sources, (in) */
} TilesBoard;

/* A transformed input times this / 2^15 is its byte less the byte for 0: that of the sources in
 * place 1, which has a sum, else TILES_ZERO. */
int tiles_rate(int place);
/* All rows of the bordered board: v (place, height + 2, across, in). `board` and `stride` as
 * int8_winograd_board() has them. */
void tiles_input(const TilesBoard *tiles, const uint8_t *board, size_t stride, uint8_t *v);
/* Tiles first .. first + count - 1 by rows: m (place, TILES_BLOCK, padded) to what the call wants.
 */
void tiles_output(const TilesBoard *tiles, const float *m, int first, int count,
                  const ConvInt8Call *call);
