/* gemm.h - products of small matrices in f32 or bf16, row-major (GEMM, general matrix multiply).
 * Threading: free functions without state. */
#pragma once
#include <stdbool.h>

/* A batch of products of independent matrices, c[p] = a[p] b[p]:
 *     a (rows, matrices, stride), of which the first `depth` elements are used
 *     b (matrices, depth, columns)
 *     c (rows, matrices, columns)
 * With `bf16` an element of a and b is a pair of bf16 (the first one in the low bits), whose two
 * products are added. That needs gemm_can_bf16(). */
typedef struct {
    int matrices, rows, depth, stride, columns;
    bool bf16;
} GemmBatchShape;

/* Whether these functions exist and are fast under backend_isa() with this number of columns, which
 * must be a multiple of 16. */
bool gemm_can(int columns);

void gemm_batch(const GemmBatchShape *shape, const float *a, const float *b, float *c);
/* c[p] += a[p]' b[p], which ignores `stride`:
 *     a (depth, matrices, rows)   b (depth, matrices, columns)   c (matrices, rows, columns) */
void gemm_batch_add_transposed(const GemmBatchShape *shape, const float *a, const float *b,
                               float *c);
/* c = a b, or c += a b: a (rows, depth), b (depth, columns), c (rows, columns). */
void gemm(int rows, int depth, int columns, const float *a, const float *b, float *c);
void gemm_add(int rows, int depth, int columns, const float *a, const float *b, float *c);

/* c = a b in bf16. Elements are pairs of bf16, as above: a (rows, stride), of which the first
 * `depth` are used, b (depth, columns), c (rows, columns) in f32. */
typedef struct {
    int rows, depth, stride, columns;
} GemmBf16Shape;
bool gemm_can_bf16(void); /* whether the processor has AVX512_BF16 */
void gemm_bf16(const GemmBf16Shape *shape, const float *a, const float *b, float *c);
