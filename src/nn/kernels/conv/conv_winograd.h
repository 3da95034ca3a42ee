/* conv_winograd.h - 3 x 3 convolutions for training by Winograd's minimal filtering (winograd.h).
 * All three passes multiply transformed tiles. In f32 they need about a quarter of the products of
 * direct sums (27% at 9x9, 24% at 19x19); in bf16 they need 31% at 9x9 and 28% at 19x19. In the
 * formulas (Lavin and Gray 2016, section 4, and the chain rule), ' means the transpose, and .
 * multiplies element by element:
 *     U  = G w G'     w: the weights of one input and one output channel
 *     V  = B' x B     x: a tile of one input channel
 *     M  = sum over the input channels of U . V
 *     y  = A' M A
 *     dM = A dy A'
 *     dU = sum over all tiles of V . dM
 *     dw = G' dU G
 * The gradient of x is the convolution of dy with the weights rotated by 180 degrees. The stride is
 * 1, borders are padded with zeros, and channels come last.
 * With `bf16`, U, V and dM are rounded to bf16, sums stay in f32, and a tile has 3 x 3 or 4 x 4
 * results. The error of the results is then about 1.4% of their standard deviation; the error of
 * direct sums in bf16 is 0.3%. Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    int height, width, in_channels, out_channels;
    bool bf16;
} ConvWinogradShape;

/* Whether the processor has what these functions need, and whether they are fast for this shape. */
bool conv_winograd_can(const ConvWinogradShape *shape);
size_t conv_winograd_scratch(const ConvWinogradShape *shape); /* floats that a call needs */

/* Writes y (n, h, w, out), the convolution of x (n, h, w, in) with weights (out, 3, 3, in). */
void conv_winograd_forward(const ConvWinogradShape *shape, int n, const float *x,
                           const float *weights, float *y, float *scratch);
/* Writes the gradient of x to dx or, with `add`, adds it to dx. */
void conv_winograd_backward_data(const ConvWinogradShape *shape, int n, const float *dy,
                                 const float *weights, float *dx, bool add, float *scratch);
/* Adds the gradient of the weights to `gradient`, which has their shape. */
void conv_winograd_backward_weights(const ConvWinogradShape *shape, int n, const float *x,
                                    const float *dy, float *gradient, float *scratch);
