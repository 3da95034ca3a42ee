/* conv_tiles_weights.h - the weights of conv_tiles.c, to tiles and back; with AVX-512. Threading:
 * free functions without state. */
#pragma once
#include "nn/kernels/winograd.h"

/* Channels of tiles are padded (winograd_padded()).
 * U = G w G': weights (out, 3, 3, in) to (products, in, out). */
void tiles_weights(const Winograd *cut, int in, int out, const float *weights, float *to);
/* The same of the weights turned around, to (products, out, in). */
void tiles_weights_turned(const Winograd *cut, int in, int out, const float *weights, float *to);
/* gradient (as weights) += G' dU G, dU (products, in, out). */
void tiles_weights_gradient(const Winograd *cut, int in, int out, const float *from,
                            float *gradient);
