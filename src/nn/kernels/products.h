/* products.h - many products of small matrices that share nothing: c[p] = a[p] b[p], row-major,
 * side by side in memory. Threading: free functions without state. */
#pragma once
#include <stdbool.h>

/* Whether products_run() is there and fast by backend_isa() and for this number of columns. */
bool products_can(int columns);

/* a (matrices, rows, inner), b (matrices, inner, columns), c (matrices, rows, columns), f32.
 * `columns` by 16. */
void products_run(int matrices, int rows, int inner, int columns, const float *a, const float *b,
                  float *c);
/* One product: c += a b. */
void products_add(int rows, int inner, int columns, const float *a, const float *b, float *c);
/* c[p] += a[p]' b[p]: a (matrices, inner, rows), the rest as above. */
void products_add_transposed(int matrices, int rows, int inner, int columns, const float *a,
                             const float *b, float *c);
