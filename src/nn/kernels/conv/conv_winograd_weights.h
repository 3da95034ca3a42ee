/* conv_winograd_weights.h - the transforms of weights and their gradients for conv_winograd.c, with
 * AVX-512. Threading: free functions without state. */
#pragma once
#include "nn/kernels/winograd.h"

/* Computes U = G w G': transforms weights w (out, 3, 3, in) to U (products, in, out), whose
 * channels are padded (winograd_padded()). */
void conv_winograd_weights(const Winograd *cut, int in, int out, const float *weights, float *to);
/* Does the same with the weights rotated by 180 degrees, to (products, out, in). */
void conv_winograd_weights_rotated(const Winograd *cut, int in, int out, const float *weights,
                                   float *to);
/* Computes gradient += G' dU G. dU (products, in, out) is in `from`, and the gradient has the shape
 * of the weights. */
void conv_winograd_weights_gradient(const Winograd *cut, int in, int out, const float *from,
                                    float *gradient);
