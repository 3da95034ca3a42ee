/* winograd.h - 3 x 3 and 5 x 5 convolutions as a few large matrix products between two cheap
 * transforms (Lavin and Gray 2016). Of 3 x 3 with tiles of 5 x 5 (4 x 4, 3 x 3) results, 49 (36,
 * 25) products a channel pair replace 225 (144, 81); of 5 x 5 with tiles of 3 x 3, 49 replace 225.
 * f32 only; its rounding is a few times that of the direct sum, also where a caller rounds what is
 * multiplied (kernels/conv_winograd.h).
 * Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "nn/graph/program.h"

enum { WINOGRAD_SIDE_MAX = 7 };

/* How a convolution of a board is cut up: a tile of tile x tile results comes from side x side
 * cells. */
typedef struct {
    int kernel, tile, side, products; /* products = side * side */
    int across, tiles;                /* tiles of a row, of a board */
} Winograd;

/* The cut of fewest products. kernel: 3 or 5. */
Winograd winograd_of(int kernel, int height, int width);
/* Of 3 x 3, for products in bf16: tiles of 3 x 3 or 4 x 4 results, which round alike (5 x 5 round
 * twice as much), whichever have fewer products. */
Winograd winograd_for_bf16(int height, int width);
int winograd_padded(int channels); /* in transformed tiles: by 16 */

typedef struct {
    const Winograd *cut;
    int height, width, channels; /* channels of x or y */
    int first, count;            /* which tiles of all samples' */
    const float *x;              /* input: (n, h, w, c) */
    bool streams;   /* input: x is more than the second cache holds, what comes next is asked for */
    float *v;       /* input: (count, products, c) of those tiles; c padded, 0 there */
    const float *m; /* output: as v, with the channels of y */
    float *y;       /* output: (n, h, w, c) = activation(result + bias + residual) * mask */
    const float *bias, *residual, *mask; /* (c), as y, (n, h, w); NULL: none */
    Activation activation;
} WinogradCall;

/* G: (side, kernel). */
double winograd_filter(const Winograd *cut, int row, int column);
/* weights (out, kernel, kernel, in) to (products, in, out), out padded with 0 */
void winograd_weights(const Winograd *cut, int in, int out, const float *weights, float *to);
typedef void WinogradTransform(const WinogradCall *call);
WinogradTransform *winograd_input_of(const Winograd *cut); /* the two below, for many calls */
WinogradTransform *winograd_spread_of(const Winograd *cut);
void winograd_input(const WinogradCall *call);
/* The adjoint of winograd_output() without bias, residual and activation, of 3 x 3: x (n, h, w, c),
 * the gradient of y, to v, that of m. */
void winograd_spread(const WinogradCall *call);
void winograd_output(const WinogradCall *call);
