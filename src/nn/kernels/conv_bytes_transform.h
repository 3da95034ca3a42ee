/* conv_bytes_transform.h - inside conv_bytes: the transforms of conv_bytes_tiles. Threading: free
 * functions without state. */
#pragma once
#include "nn/kernels/conv_bytes.h"

enum { TILES_PLACES = 16, TILES_BLOCK = 18, TILES_LANES = 32, TILES_ZERO = 128 };

typedef struct {
    int height, width, across; /* of the board; tiles a row */
    int in, out, padded;       /* channels; `padded` is `out` in whole groups */
    bool fast;                 /* AVX-512 */
    float *bias;               /* (padded) */
    int16_t *zeros;            /* 4 * zero, (in) */
} TilesBoard;

/* A transformed input times this / 2^15 is its byte less TILES_ZERO. */
int tiles_rate(int place);
/* Tiles first .. first + count - 1 by rows: v (place, TILES_BLOCK, in). `board` and `stride` as
 * bytes_tiles_board() has them. */
void tiles_input(const TilesBoard *tiles, const uint8_t *board, size_t stride, int first, int count,
                 uint8_t *v);
/* m (place, TILES_BLOCK, padded) to what the call wants. */
void tiles_output(const TilesBoard *tiles, const float *m, int first, int count,
                  const ConvBytesCall *call);
