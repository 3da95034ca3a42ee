/* winograd.h - 3 x 3 convolutions as a few large matrix products between two cheap transforms
 * (Lavin and Gray 2016). With tiles of 5 x 5 (4 x 4, 3 x 3) results, 49 (36, 25) products a channel
 * pair replace 225 (144, 81). f32 only; its rounding is a few times that of the direct sum.
 * Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "nn/program.h"

typedef struct {
    int samples, height, width, channels; /* channels of x or y */
    const float *x;                       /* input: (n, h, w, c) */
    float *v;       /* input: ((tile + 2)^2, n * tiles, c); c padded, 0 there */
    const float *m; /* output: as v, with the channels of y */
    float *y;       /* output: (n, h, w, c) = activation(result + bias + residual) * mask */
    const float *bias, *residual, *mask; /* NULL: none */
    Activation activation;               /* identity or relu */
} WinogradCall;

int winograd_tile(int height, int width);            /* 3 to 5: which needs fewest products */
int winograd_tiles(int tile, int height, int width); /* tiles a sample */
int winograd_padded(int channels);                   /* in transformed tiles: by 16 */
/* weights (out, 3, 3, in) to ((tile + 2)^2, in, out), both padded with 0 */
void winograd_weights(int tile, int in, int out, const float *weights, float *to);
/* G: (tile + 2, 3) */
const double (*winograd_filter(int tile))[3];
void winograd_input(int tile, const WinogradCall *call);
/* The adjoint of winograd_output() without bias, residual and activation: x (n, h, w, c), the
 * gradient of y, to v, that of m. */
void winograd_spread(int tile, const WinogradCall *call);
void winograd_output(int tile, const WinogradCall *call);
