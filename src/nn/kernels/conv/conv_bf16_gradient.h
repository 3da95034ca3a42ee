/* conv_bf16_gradient.h - part of conv_bf16: gradients of the weights with AVX512_BF16, which adds
 * products of pairs of neighbouring cells. Threading: free functions without state. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { GRADIENT_OUTS = 8, GRADIENT_LANES = 16 };

typedef struct {
    int height, width, in_channels, out_channels, kernel;
    int bordered_width, pairs;      /* columns with the border; pairs of columns of the outputs */
    size_t ins, outs;               /* channels, rounded up to whole lanes and blocks */
    size_t x_elements, dy_elements; /* pairs in a board of inputs, and of gradients of outputs */
} GradientShape;

GradientShape gradient_shape(int height, int width, int in, int out, int kernel);

/* Pairs each cell with its right neighbour: x2 (row, column, in) with the border. The border must
 * be zero before the call. */
void gradient_pack_x(const GradientShape *shape, const float *x, uint32_t *x2);
/* Pairs columns two by two: dy2 (row, pair, out), zero beyond the board and the channels. */
void gradient_pack_dy(const GradientShape *shape, const float *dy, uint32_t *dy2);
/* Adds the gradient of all boards to gradient (out, tap, in). */
void gradient_run(const GradientShape *shape, int boards, const uint32_t *x2, const uint32_t *dy2,
                  float *gradient);
