/* winograd.h - Winograd's minimal filtering: computes 3 x 3 and 5 x 5 convolutions in f32 as large
 * matrix products between two cheap transforms (Lavin and Gray 2016). For each tile, and each pair
 * of an input and an output channel, this needs
 *   kernel   results in a tile   products   products of the direct sum
 *   3 x 3    5 x 5               49         225
 *   3 x 3    4 x 4               36         144
 *   3 x 3    3 x 3               25          81
 *   5 x 5    3 x 3               49         225
 * The rounding error is a few times that of the direct sum in f32. If a caller rounds the
 * transformed values to bf16 (kernels/conv/conv_winograd.h), the error is a few times that of the
 * direct sum in bf16.
 * Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "nn/graph/program.h"

enum { WINOGRAD_SIDE_MAX = 7 };

/* How a convolution cuts a board into tiles. Each tile of tile x tile results is computed from
 * side x side cells. */
typedef struct {
    int kernel, tile, side, products; /* products = side * side */
    int across, tiles;                /* tiles in a row of the board; tiles of the whole board */
} Winograd;

/* Returns the cut with the fewest products. `kernel` is 3 or 5. */
Winograd winograd_of(int kernel, int height, int width);
/* Returns the cut for a 3 x 3 convolution whose products are in bf16: tiles of 3 x 3 or 4 x 4
 * results, whichever needs fewer products. Both have about the same rounding error, and tiles of
 * 5 x 5 results would have twice this error. */
Winograd winograd_for_bf16(int height, int width);
/* The number of channels of a transformed tile: `channels` rounded up to a multiple of 16. */
int winograd_padded(int channels);

typedef struct {
    const Winograd *cut;
    int height, width, channels; /* `channels` are those of x for input, of y for output */
    int first, count;            /* the first tile, counted over all samples; number of tiles */
    const float *x;              /* for input: (n, h, w, c) */
    bool streams;   /* for input: prefetch the next sample, for an x larger than the L2 cache */
    float *v;       /* for input: (count, products, c) of these tiles; c is padded with 0 */
    const float *m; /* for output: the shape of v, but with the channels of y */
    float *y;       /* for output: (n, h, w, c) = activation(result + bias + residual) * mask */
    const float *bias, *residual, *mask; /* (c), shape of y, (n, h, w); each may be NULL */
    Activation activation;
} WinogradCall;

/* Returns one element of the matrix G (side, kernel), which transforms filters. */
double winograd_filter(const Winograd *cut, int row, int column);
/* Transforms weights (out, kernel, kernel, in) to (products, in, winograd_padded(out)). The output
 * channels that do not exist become 0. */
void winograd_weights(const Winograd *cut, int in, int out, const float *weights, float *to);
typedef void WinogradTransform(const WinogradCall *call);
/* These return the functions that winograd_input() and winograd_spread() call for this cut. A
 * caller that transforms many times gets the function once and calls it directly.
 * winograd_spread_of() returns NULL for 5 x 5 convolutions. */
WinogradTransform *winograd_input_of(const Winograd *cut);
WinogradTransform *winograd_spread_of(const Winograd *cut);
/* Transforms tiles of x to v. */
void winograd_input(const WinogradCall *call);
/* The backward pass of winograd_output() without bias, residual, activation and mask, for 3 x 3
 * convolutions: takes the gradient of y in `x` (n, h, w, c) and writes the gradient of m to `v`. */
void winograd_spread(const WinogradCall *call);
/* Transforms products m back to results y. */
void winograd_output(const WinogradCall *call);
