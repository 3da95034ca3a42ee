/* infer_winograd.h - 3 x 3 convolutions as a few large matrix products between two cheap transforms
 * (Lavin and Gray 2016). With tiles of 4 x 4 (or 3 x 3) results, 36 (25) products a channel pair
 * replace 144 (81). f32 only; its rounding is a few times that of the direct sum. Threading: free
 * functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "nn/program.h"

typedef struct {
    int samples, height, width, channels; /* channels of x or y */
    const float *x;                       /* input: (n, h, w, c) */
    float *v;                             /* input: ((tile + 2)^2, n * tiles, c) */
    const float *m;                       /* output: as v, with the channels of y */
    float *y; /* output: (n, h, w, c) = activation(result + bias + residual) * mask */
    const float *bias, *residual, *mask; /* NULL: none */
    Activation activation;               /* identity or relu */
} WinogradCall;

int winograd_tile(int height, int width);            /* 3 or 4: which needs fewer products */
int winograd_tiles(int tile, int height, int width); /* tiles a sample */
/* weights (out, 3, 3, in) to ((tile + 2)^2, in, out) */
void winograd_weights(int tile, int in, int out, const float *weights, float *to);
void winograd_input(int tile, const WinogradCall *call);
void winograd_output(int tile, const WinogradCall *call);
