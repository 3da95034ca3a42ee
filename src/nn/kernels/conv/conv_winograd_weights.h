/* conv_winograd_weights.h - the weights of conv_winograd.c, to tiles and back; with AVX-512. Threading:
 * free functions without state. */
#pragma once
#include "nn/kernels/winograd.h"

/* Channels of tiles are padded (winograd_padded()).
 * U = G w G': weights (out, 3, 3, in) to (products, in, out). */
void conv_winograd_weights(const Winograd *cut, int in, int out, const float *weights, float *to);
/* The same of the weights turned around, to (products, out, in). */
void conv_winograd_weights_rotated(const Winograd *cut, int in, int out, const float *weights,
                                   float *to);
/* gradient (as weights) += G' dU G, dU (products, in, out). */
void conv_winograd_weights_gradient(const Winograd *cut, int in, int out, const float *from,
                                    float *gradient);
