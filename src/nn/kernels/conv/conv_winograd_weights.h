/* conv_winograd_weights.h - transforms the weights of conv_winograd.c and their gradients, with
 * AVX-512. Threading: free functions without state. */
#pragma once
#include "nn/kernels/winograd.h"

/* U = G w G': transforms weights (out, 3, 3, in) to (products, in, out). Transformed channels are
 * padded (winograd_padded()). */
void conv_winograd_weights(const Winograd *cut, int in, int out, const float *weights, float *to);
/* Does the same with the weights rotated by 180 degrees, to (products, out, in). */
void conv_winograd_weights_rotated(const Winograd *cut, int in, int out, const float *weights,
                                   float *to);
/* gradient += G' dU G, where dU is (products, in, out) and the gradient has the shape of the
 * weights. */
void conv_winograd_weights_gradient(const Winograd *cut, int in, int out, const float *from,
                                    float *gradient);
