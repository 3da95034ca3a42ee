/* products.h - products of small matrices, f32, row-major. Threading: free functions without state.
 */
#pragma once
#include <stdbool.h>

/* Many products that share nothing: c[p] = a[p] b[p]. A row of all a[p], and of all c[p], is in one
 * piece: a (rows, matrices, apart) of which the first `inner` numbers count, b (matrices, inner,
 * columns), c (rows, matrices, columns). `pairs`: a number of a and b is a pair of bf16 (the first
 * in the lower half), whose two products are added; where product_can_pairs(). */
typedef struct {
    int matrices, rows, inner, apart, columns;
    bool pairs;
} ProductsShape;

/* Whether these are there and fast by backend_isa() and for this number of columns, which is a
 * multiple of 16. */
bool products_can(int columns);

void products_run(const ProductsShape *shape, const float *a, const float *b, float *c);
/* c[p] += a[p]' b[p]: a (inner, matrices, rows), b (inner, matrices, columns), c (matrices, rows,
 * columns); no `apart`. */
void products_add_transposed(const ProductsShape *shape, const float *a, const float *b, float *c);
/* One product: c = a b, or += */
void product_run(int rows, int inner, int columns, const float *a, const float *b, float *c);
void product_add(int rows, int inner, int columns, const float *a, const float *b, float *c);

/* One product of pairs: a (rows, apart) of which the first `pairs` count, b (pairs, columns), c
 * (rows, columns). */
typedef struct {
    int rows, pairs, apart, columns;
} PairsShape;
bool product_can_pairs(void); /* AVX512_BF16 */
void product_run_pairs(const PairsShape *shape, const float *a, const float *b, float *c);
