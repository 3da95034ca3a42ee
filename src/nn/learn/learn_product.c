/* How a product in bf16 is computed: gemm.h multiplies pairs of bf16. A pair consists of two
 * neighbors along the depth. In a b, neighbors in a row of a become a pair, and two rows of b become
 * one row of pairs. In a' b, the depth is that of the rows of a, so two rows of a become one row of
 * pairs, too. */
#include "nn/learn/learn_product.h"

#include <string.h>

#include "nn/kernels/bf16.h"
#include "nn/kernels/gemm.h"

bool product_can(void) {
    return gemm_can(PRODUCT_COLUMNS);
}

bool product_can_bf16(void) {
    return gemm_can_bf16();
}

/* Turns the rows 2 k and 2 k + 1 into row k of pairs, in place. If the number of rows is odd, a row
 * of zeros is added first. */
static void pair_rows(size_t rows, size_t columns, float *x) {
    if (rows % 2) memset(x + rows * columns, 0, columns * sizeof *x);
    for (size_t k = 0; k < rows; k += 2)
        bf16_interleave(x + k * columns, x + (k + 1) * columns, (int)columns, x + k / 2 * columns);
}

void product(const ProductShape *shape, float *a, float *b, float *c) {
    GemmBatchShape gemm = {.matrices = 1,
                           .rows = (int)shape->rows,
                           .depth = (int)shape->depth,
                           .stride = (int)shape->stride,
                           .columns = (int)shape->columns,
                           .bf16 = shape->bf16};
    if (shape->bf16) {
        bf16_pack(a, (int)(shape->rows * shape->stride), a);
        pair_rows(shape->depth, shape->columns, b);
        gemm.depth = (gemm.depth + 1) / 2;
        gemm.stride /= 2;
    }
    gemm_batch(&gemm, a, b, c);
}

void product_transposed(const ProductShape *shape, float *a, float *b, float *c) {
    GemmBatchShape gemm = {.matrices = 1,
                           .rows = (int)shape->rows,
                           .depth = (int)shape->depth,
                           .columns = (int)shape->columns,
                           .bf16 = shape->bf16};
    if (shape->bf16) {
        pair_rows(shape->depth, shape->rows, a);
        pair_rows(shape->depth, shape->columns, b);
        gemm.depth = (gemm.depth + 1) / 2;
    }
    memset(c, 0, shape->rows * shape->columns * sizeof *c);
    gemm_batch_add_transposed(&gemm, a, b, c);
}
