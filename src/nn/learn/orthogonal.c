#include "nn/learn/orthogonal.h"

#include <math.h>
#include <string.h>

#include "nn/kernels/gemm.h"
#include "nn/ops/op.h"

enum { STEPS = 5 };

/* A matrix with a smaller norm is divided by this number instead of its norm. So there is no
 * division by 0, and if the norm is far smaller, the result is small too. */
static const double LENGTH_MIN = 1e-7;

enum { LANES = 16 };

/* The rows m and columns n of the copy of the matrix in the scratch. The copy of a matrix that is
 * higher than wide is transposed. With `fast`, gemm.h multiplies. For this, zeros fill both sides
 * up to multiples of LANES, and the steps leave these zeros as they are. */
typedef struct {
    size_t m, n;
    bool fast;
} Sides;

static Sides sides_of(size_t rows, size_t columns) {
    Sides s = {rows < columns ? rows : columns, rows < columns ? columns : rows, false};
    if (s.m < LANES || !gemm_can(LANES)) return s;
    s.m = (s.m + LANES - 1) / LANES * LANES;
    s.n = (s.n + LANES - 1) / LANES * LANES;
    s.fast = true;
    return s;
}

size_t orthogonal_scratch(size_t rows, size_t columns) {
    Sides s = sides_of(rows, columns);
    return 3 * s.m * s.n + 2 * s.m * s.m;
}

/* out (rows, columns) = a out + left (rows, depth) right (depth, columns). It takes four rows of
 * `right` at a time, so that it reads and writes `out` less often. */
OP_LOOP static void multiply_add(size_t rows, size_t depth, size_t columns, float a,
                                 const float *restrict left, const float *restrict right,
                                 float *restrict out) {
    for (size_t i = 0; i < rows; i++) {
        float *restrict to = out + i * columns;
        const float *factors = left + i * depth;
        for (size_t j = 0; j < columns; j++)
            to[j] *= a;
        size_t k = 0;
        for (; k + 4 <= depth; k += 4) {
            const float *restrict r0 = right + k * columns, *restrict r1 = r0 + columns,
                                  *restrict r2 = r1 + columns, *restrict r3 = r2 + columns;
            float f0 = factors[k], f1 = factors[k + 1], f2 = factors[k + 2], f3 = factors[k + 3];
            for (size_t j = 0; j < columns; j++)
                to[j] += f0 * r0[j] + f1 * r1[j] + (f2 * r2[j] + f3 * r3[j]);
        }
        for (; k < depth; k++) {
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

/* out = factor * out + more_factor * more. */
OP_LOOP static void mix(size_t count, float factor, const float *restrict more, float more_factor,
                        float *restrict out) {
    for (size_t k = 0; k < count; k++)
        out[k] = factor * out[k] + more_factor * more[k];
}

/* Makes one Newton-Schulz step on x (m, n). The other arrays are scratch: `transposed` and `old`
 * are as large as x; a and b are (m, m). */
static void newton_schulz(Sides s, float *x, float *transposed, float *old, float *a, float *b) {
    size_t count = s.m * s.n;
    int m = (int)s.m, n = (int)s.n;
    transpose(s.m, s.n, x, transposed);
    if (s.fast) {
        gemm(m, n, m, x, transposed, a);
        gemm(m, m, m, a, a, b);
        mix(s.m * s.m, 2.0315f, a, -4.7750f, b);
        gemm(m, m, n, b, x, old);
        mix(count, 3.4445f, old, 1, x);
        return;
    }
    memset(a, 0, s.m * s.m * sizeof *a);
    multiply_add(s.m, s.n, s.m, 0, x, transposed, a);
    memcpy(b, a, s.m * s.m * sizeof *b);
    multiply_add(s.m, s.m, s.m, -4.7750f / 2.0315f, a, a, b); /* (b A + c A A) / c */
    for (size_t k = 0; k < s.m * s.m; k++)
        b[k] *= 2.0315f;
    memcpy(old, x, count * sizeof *old);
    multiply_add(s.m, s.m, s.n, 3.4445f, b, old, x);
}

/* Multiplies the matrix by `scale` and copies it to x (m, n), transposed if it is higher than
 * wide. */
static void copy_in(size_t rows, size_t columns, const float *matrix, float scale, Sides s,
                    float *x) {
    bool wide = rows <= columns;
    memset(x, 0, s.m * s.n * sizeof *x);
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++)
            x[wide ? i * s.n + j : j * s.n + i] = matrix[i * columns + j] * scale;
    }
}

static void copy_out(size_t rows, size_t columns, float *matrix, Sides s, const float *x) {
    bool wide = rows <= columns;
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++)
            matrix[i * columns + j] = x[wide ? i * s.n + j : j * s.n + i];
    }
}

void orthogonalise(size_t rows, size_t columns, float *matrix, float *scratch) {
    Sides s = sides_of(rows, columns);
    size_t count = s.m * s.n;
    float *x = scratch, *transposed = x + count, *old = transposed + count, *a = old + count,
          *b = a + s.m * s.m;
    double sum = 0;
    for (size_t k = 0; k < rows * columns; k++)
        sum += (double)matrix[k] * (double)matrix[k];
    copy_in(rows, columns, matrix, (float)(1 / fmax(sqrt(sum), LENGTH_MIN)), s, x);
    for (int step = 0; step < STEPS; step++)
        newton_schulz(s, x, transposed, old, a, b);
    copy_out(rows, columns, matrix, s, x);
}
