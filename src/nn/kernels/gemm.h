/* gemm.h - products of small matrices (GEMM) in f32 or bf16. Matrices are row-major. Threading:
 * free functions without state. */
#pragma once
#include <stdbool.h>

/* The shape of a batch of independent products, c[p] = a[p] b[p]:
 *     a (rows, matrices, stride): of each `stride` elements, the first `depth` are used
 *     b (matrices, depth, columns)
 *     c (rows, matrices, columns)
 * With `bf16` each element of a and b is a pair of bf16, and `depth` and `stride` count pairs. The
 * first number of a pair is in the low bits. The product of two pairs is the product of their first
 * numbers plus the product of their second numbers. This needs gemm_can_bf16(). */
typedef struct {
    int matrices, rows, depth, stride, columns;
    bool bf16;
} GemmBatchShape;

/* Whether these functions may be called, and are fast, with this number of columns: it is a
 * multiple of 16, and backend_isa() has AVX-512. */
bool gemm_can(int columns);

void gemm_batch(const GemmBatchShape *shape, const float *a, const float *b, float *c);
/* Computes c[p] += a[p]' b[p], where ' means the transpose. It ignores `stride`, and the layouts
 * are:
 *     a (depth, matrices, rows)   b (depth, matrices, columns)   c (matrices, rows, columns) */
void gemm_batch_add_transposed(const GemmBatchShape *shape, const float *a, const float *b,
                               float *c);
/* gemm() computes c = a b, and gemm_add() computes c += a b, where a is (rows, depth), b is (depth,
 * columns) and c is (rows, columns). */
void gemm(int rows, int depth, int columns, const float *a, const float *b, float *c);
void gemm_add(int rows, int depth, int columns, const float *a, const float *b, float *c);

/* The shape of a product c = a b in bf16. The elements of a (rows, stride) and b (depth, columns)
 * are pairs of bf16, as in GemmBatchShape; those of c (rows, columns) are f32. Of each row of a,
 * the first `depth` pairs are used. */
typedef struct {
    int rows, depth, stride, columns;
} GemmBf16Shape;
bool gemm_can_bf16(void); /* whether backend_isa() has AVX512_BF16 */
void gemm_bf16(const GemmBf16Shape *shape, const float *a, const float *b, float *c);
