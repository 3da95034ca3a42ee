/* conv_bf16_gradient.h - the part of conv_bf16.h that computes gradients of the weights, with
 * AVX512_BF16. One instruction computes two products in each lane, and adds both to the sum. One
 * factor of each product is an input and the other is a gradient of an output; the two products are
 * those of two neighbouring cells.
 * Threading: free functions without state. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { GRADIENT_OUTS = 8, GRADIENT_LANES = 16 };

typedef struct {
    int height, width, in_channels, out_channels, kernel;
    int bordered_width, pairs;      /* columns with the border; pairs of columns of the outputs */
    size_t ins, outs;               /* channels, padded to GRADIENT_LANES and GRADIENT_OUTS */
    size_t x_elements, dy_elements; /* pairs in a board of inputs, and of gradients of outputs */
} GradientShape;

GradientShape gradient_shape(int height, int width, int in, int out, int kernel);

/* Rounds the inputs of a board to bf16 and pairs each cell with its right neighbour: x2 (row,
 * column, in), border included. x2 must be zero before the first call, because most of the border
 * is not written. */
void gradient_pack_x(const GradientShape *shape, const float *x, uint32_t *x2);
/* Rounds the gradients of the outputs to bf16 and pairs columns two by two: dy2 (row, pair, out).
 * Columns and channels that do not exist become 0. */
void gradient_pack_dy(const GradientShape *shape, const float *dy, uint32_t *dy2);
/* Adds the gradient of the weights, summed over these boards, to `gradient` (out, tap, in). */
void gradient_run(const GradientShape *shape, int boards, const uint32_t *x2, const uint32_t *dy2,
                  float *gradient);
