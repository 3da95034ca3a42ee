/* conv_bf16_gradient.h - the part of conv_bf16.h that computes gradients of the weights, with
 * AVX512_BF16. One instruction computes two products in each lane, and adds both to the sum. One
 * factor of each product is an input and the other is a gradient of an output; the two products are
 * those of two neighbouring cells. With AMX, conv_bf16_gradient_amx.h takes the place of two of
 * these functions.
 * Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GRADIENT_OUTS = 8, GRADIENT_LANES = 16 };

typedef struct {
    int height, width, in_channels, out_channels, kernel;
    bool amx; /* whether the gradient is computed with AMX */
    /* Columns with the border; an even number. The right border of a row is the left border of the
     * next row. */
    int bordered_width;
    int pairs;                      /* pairs of columns of the outputs */
    int board_pairs;                /* with AMX: pairs of columns of a whole board, see below */
    size_t ins, outs;               /* channels, padded to whole registers or tiles */
    size_t x_elements, dy_elements; /* pairs in a board of inputs, and of gradients of outputs */
} GradientShape;

GradientShape gradient_shape(int height, int width, int in, int out, int kernel);

/* Returns how many elements gradient_run() reads after the last board of x2. They may be those of
 * another board of the same call, because that board begins with a border of zeros and the rest is
 * multiplied by 0. Otherwise they must be 0. */
size_t gradient_x_more(const GradientShape *shape);

/* Rounds the inputs of a board to bf16 and pairs each cell with its right neighbour: x2 (row,
 * column, in), border included. x2 must be zero before the first call, because most of the border
 * is not written. */
void gradient_pack_x(const GradientShape *shape, const float *x, uint32_t *x2);
/* Rounds the gradients of the outputs to bf16 and pairs columns two by two: dy2 (row, pair, out).
 * With AMX: dy2 (out, pair), where the pairs are those of all rows, one row after the other. There
 * each row is as long as a row of x2, and the last row is followed by further pairs, so that
 * board_pairs is a multiple of GRADIENT_LANES. Columns and channels that do not exist become 0. */
void gradient_pack_dy(const GradientShape *shape, const float *dy, uint32_t *dy2);
/* Adds the gradient of the weights, summed over these boards, to `gradient` (out, tap, in). */
void gradient_run(const GradientShape *shape, int boards, const uint32_t *x2, const uint32_t *dy2,
                  float *gradient);
