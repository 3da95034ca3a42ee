#include "nn/orthogonal.h"
#include "nn/op.h"
#include <math.h>
#include <string.h>

enum { STEPS = 5 };

size_t orthogonal_scratch(size_t rows, size_t columns) {
    size_t small = rows < columns ? rows : columns, large = rows < columns ? columns : rows;
    return 3 * small * large + 2 * small * small;
}

/* out (rows, columns) = a out + left (rows, inner) * right (inner, columns); four rows of `right`
 * at a time keep the sums in registers. */
OP_LOOP static void multiply_add(size_t rows, size_t inner, size_t columns, float a,
                                 const float *restrict left, const float *restrict right,
                                 float *restrict out) {
    for (size_t i = 0; i < rows; i++) {
        float *restrict to = out + i * columns;
        const float *factors = left + i * inner;
        for (size_t j = 0; j < columns; j++)
            to[j] *= a;
        size_t k = 0;
        for (; k + 4 <= inner; k += 4) {
            const float *restrict r0 = right + k * columns, *restrict r1 = r0 + columns,
                                  *restrict r2 = r1 + columns, *restrict r3 = r2 + columns;
            float f0 = factors[k], f1 = factors[k + 1], f2 = factors[k + 2], f3 = factors[k + 3];
            for (size_t j = 0; j < columns; j++)
                to[j] += f0 * r0[j] + f1 * r1[j] + (f2 * r2[j] + f3 * r3[j]);
        }
        for (; k < inner; k++) {
            const float *restrict row = right + k * columns;
            for (size_t j = 0; j < columns; j++)
                to[j] += factors[k] * row[j];
        }
    }
}

static void transpose(size_t rows, size_t columns, const float *from, float *to) {
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++)
            to[j * rows + i] = from[i * columns + j];
    }
}

void orthogonalise(size_t rows, size_t columns, float *matrix, float *scratch) {
    bool wide = rows <= columns;
    size_t m = wide ? rows : columns, n = wide ? columns : rows, count = m * n;
    float *x = scratch, *turned = x + count, *old = turned + count, *a = old + count,
          *b = a + m * m;
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += (double)matrix[k] * (double)matrix[k];
    if (!(sum > 0)) return;
    float scale = (float)(1 / sqrt(sum));
    if (wide)
        memcpy(x, matrix, count * sizeof *x);
    else
        transpose(rows, columns, matrix, x);
    for (size_t k = 0; k < count; k++)
        x[k] *= scale;
    for (int step = 0; step < STEPS; step++) {
        transpose(m, n, x, turned);
        memset(a, 0, m * m * sizeof *a);
        multiply_add(m, n, m, 0, x, turned, a);
        memcpy(b, a, m * m * sizeof *b);
        multiply_add(m, m, m, -4.7750f / 2.0315f, a, a, b); /* (b / c) A + A A, times c below */
        for (size_t k = 0; k < m * m; k++)
            b[k] *= 2.0315f;
        memcpy(old, x, count * sizeof *old);
        multiply_add(m, m, n, 3.4445f, b, old, x);
    }
    if (wide)
        memcpy(matrix, x, count * sizeof *x);
    else
        transpose(m, n, x, matrix);
}
