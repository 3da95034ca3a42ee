/* learn_product.h - products of matrices for training, in f32 or bf16, with sums in f32. Matrices
 * are row-major. Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* In each product, the result has a multiple of this many columns. */
enum { PRODUCT_COLUMNS = 16 };

/* The shape of a product c = a b or c = a' b, where ' means the transpose, b is (depth, columns)
 * and c is (rows, columns). `columns` is a multiple of PRODUCT_COLUMNS. In the product a b, a is
 * (rows, stride), and of each row the first `depth` elements count. In the product a' b, a is
 * (depth, rows), and `stride` does not count.
 * With `bf16` the functions round a and b in place, so both lose their values. The arrays a and b
 * then need more room and a certain form:
 *   - In a b, `stride` is a multiple of PRODUCT_COLUMNS, and the elements of a row of a that do not
 *     count are 0.
 *   - In a' b, `rows` is a multiple of PRODUCT_COLUMNS, and if `depth` is odd, there is room for
 *     one more row in a.
 *   - If `depth` is odd, there is room for one more row in b. */
typedef struct {
    size_t rows, depth, stride, columns;
    bool bf16;
} ProductShape;

/* Whether this processor has fast products, and whether it has them in bf16. */
bool product_can(void);
bool product_can_bf16(void);
void product(const ProductShape *shape, float *a, float *b, float *c);
void product_transposed(const ProductShape *shape, float *a, float *b, float *c);
