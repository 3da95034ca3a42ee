/* winograd.h - Winograd's minimal filtering: computes 3 x 3 and 5 x 5 convolutions in f32 as a few
 * large matrix products between two cheap transforms (Lavin and Gray 2016). For each pair of
 * channels:
 *   kernel   results in a tile   products   products of the direct sum
 *   3 x 3    5 x 5               49         225
 *   3 x 3    4 x 4               36         144
 *   3 x 3    3 x 3               25          81
 *   5 x 5    3 x 3               49         225
 * The rounding error is a few times that of the direct sum, also where a caller rounds the
 * transformed values (kernels/conv/conv_winograd.h).
 * Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "nn/graph/program.h"

enum { WINOGRAD_SIDE_MAX = 7 };

/* How the convolution of a board is cut up: a tile of tile x tile results is computed from side x
 * side cells. */
typedef struct {
    int kernel, tile, side, products; /* products of a tile and channel pair = side * side */
    int across, tiles;                /* tiles in a row of the board, tiles of the board */
} Winograd;

/* The cut with the fewest products. `kernel` is 3 or 5. */
Winograd winograd_of(int kernel, int height, int width);
/* The cut of a 3 x 3 convolution whose products are in bf16: tiles of 3 x 3 or 4 x 4 results, which
 * round alike, whichever needs fewer products. Tiles of 5 x 5 would round twice as much. */
Winograd winograd_for_bf16(int height, int width);
/* Channels of a transformed tile: rounded up to a multiple of 16. */
int winograd_padded(int channels);

typedef struct {
    const Winograd *cut;
    int height, width, channels; /* `channels` are those of x or y */
    int first, count;            /* which tiles, counted through all samples */
    const float *x;              /* for input: (n, h, w, c) */
    bool streams;   /* for input: x is larger than the second cache, so prefetch the next sample */
    float *v;       /* for input: (count, products, c) of these tiles; c is padded with 0 */
    const float *m; /* for output: as v, with the channels of y */
    float *y;       /* for output: (n, h, w, c) = activation(result + bias + residual) * mask */
    const float *bias, *residual, *mask; /* (c), shape of y, (n, h, w); NULL: none */
    Activation activation;
} WinogradCall;

/* The element of the filter transform G (side, kernel). */
double winograd_filter(const Winograd *cut, int row, int column);
/* Transforms weights (out, kernel, kernel, in) to (products, in, out), where out is padded with
 * 0. */
void winograd_weights(const Winograd *cut, int in, int out, const float *weights, float *to);
typedef void WinogradTransform(const WinogradCall *call);
/* The transforms of the functions below, for many calls in a row. */
WinogradTransform *winograd_input_of(const Winograd *cut);
WinogradTransform *winograd_spread_of(const Winograd *cut);
void winograd_input(const WinogradCall *call);
/* The adjoint of winograd_output() without bias, residual and activation, for 3 x 3: transforms x
 * (n, h, w, c), the gradient of y, to v, the gradient of m. */
void winograd_spread(const WinogradCall *call);
void winograd_output(const WinogradCall *call);
