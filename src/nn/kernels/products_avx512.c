#include "nn/kernels/products.h"

#include <stddef.h>
#include <string.h>

#include "nn/backend.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* c (rows, columns) = a (rows, inner) b (inner, columns), `add`: c += that. Numbers from one row to
 * the next, and in `a` from one column to the next. */
typedef struct {
    const float *a, *b;
    float *c;
    size_t a_row, a_step, b_row, c_row;
    bool add;
} Product;

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx512f,fma")))

/* `high` rows by `wide` registers of sums stay in registers while the inner dimension runs by. */
#define BLOCK(name, high, wide)                                                                    \
    TARGET static void name(int inner, const Product *of, int row, int column) {                   \
        const float *a = of->a + (size_t)row * of->a_row, *b = of->b + column;                     \
        float *c = of->c + (size_t)row * of->c_row + column;                                       \
        size_t a_row = of->a_row, a_step = of->a_step, b_row = of->b_row, c_row = of->c_row;       \
        __m512 sum[high][wide];                                                                    \
        _Pragma("GCC unroll 12") for (int i = 0; i < (high); i++) {                                \
            _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) sum[i][j] =                   \
                of->add ? _mm512_loadu_ps(c + (size_t)i * c_row + 16 * j) : _mm512_setzero_ps();   \
        }                                                                                          \
        for (int k = 0; k < inner; k++, a += a_step, b += b_row) {                                 \
            __m512 right[wide];                                                                    \
            _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) right[j] =                    \
                _mm512_loadu_ps(b + 16 * j);                                                       \
            _Pragma("GCC unroll 12") for (int i = 0; i < (high); i++) {                            \
                __m512 left = _mm512_set1_ps(a[(size_t)i * a_row]);                                \
                _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) {                         \
                    sum[i][j] = _mm512_fmadd_ps(left, right[j], sum[i][j]);                        \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 12") for (int i = 0; i < (high); i++) {                                \
            _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) {                             \
                _mm512_storeu_ps(c + (size_t)i * c_row + 16 * j, sum[i][j]);                       \
            }                                                                                      \
        }                                                                                          \
    }

BLOCK(block_4x6, 4, 6)
BLOCK(block_1x6, 1, 6)
BLOCK(block_6x4, 6, 4)
BLOCK(block_1x4, 1, 4)
BLOCK(block_8x2, 8, 2)
BLOCK(block_1x2, 1, 2)
BLOCK(block_8x1, 8, 1)
BLOCK(block_1x1, 1, 1)

typedef void (*Block)(int inner, const Product *of, int row, int column);
static const struct {
    int wide, high;
    Block many, one;
} BLOCKS[] = {{6, 4, block_4x6, block_1x6},
              {4, 6, block_6x4, block_1x4},
              {2, 8, block_8x2, block_1x2},
              {1, 8, block_8x1, block_1x1}};

static void multiply(int rows, int inner, int columns, const Product *of) {
    for (int column = 0; column < columns;) {
        int kind = 0, row = 0;
        while (16 * BLOCKS[kind].wide > columns - column)
            kind++;
        for (; row + BLOCKS[kind].high <= rows; row += BLOCKS[kind].high)
            BLOCKS[kind].many(inner, of, row, column);
        for (; row < rows; row++)
            BLOCKS[kind].one(inner, of, row, column);
        column += 16 * BLOCKS[kind].wide;
    }
}

bool products_can(int columns) {
    return columns % 16 == 0 && backend_isa() >= ISA_AVX512;
}
#else
static void multiply(int rows, int inner, int columns, const Product *at) {
    for (int i = 0; i < rows; i++) {
        float *sums = at->c + (size_t)i * at->c_row;
        if (!at->add) memset(sums, 0, (size_t)columns * sizeof *sums);
        for (int k = 0; k < inner; k++) {
            float left = at->a[(size_t)i * at->a_row + (size_t)k * at->a_step];
            for (int j = 0; j < columns; j++)
                sums[j] += left * at->b[(size_t)k * at->b_row + (size_t)j];
        }
    }
}

bool products_can(int columns) {
    (void)columns;
    return false;
}
#endif

/* A block of columns of the right matrix stays in the first cache. */
static void multiply_in_parts(int rows, int inner, int columns, Product at) {
    enum { INNER_MOST = 128 };
    for (int done = 0; done < inner; done += INNER_MOST) {
        int part = inner - done < INNER_MOST ? inner - done : INNER_MOST;
        multiply(rows, part, columns, &at);
        at.a += (size_t)part * at.a_step;
        at.b += (size_t)part * at.b_row;
        at.add = true;
    }
}

void products_run(const ProductsShape *shape, const float *a, const float *b, float *c) {
    size_t matrices = (size_t)shape->matrices, from = (size_t)shape->apart,
           to = (size_t)shape->columns;
    Product at = {a, b, c, matrices * from, 1, to, matrices * to, false};
    for (size_t p = 0; p < matrices; p++) {
        multiply_in_parts(shape->rows, shape->inner, shape->columns, at);
        at.a += from;
        at.b += (size_t)shape->inner * to;
        at.c += to;
    }
}

void products_add_transposed(const ProductsShape *shape, const float *a, const float *b, float *c) {
    size_t matrices = (size_t)shape->matrices, from = (size_t)shape->rows,
           to = (size_t)shape->columns;
    Product at = {a, b, c, 1, matrices * from, matrices * to, to, true};
    for (size_t p = 0; p < matrices; p++) {
        multiply(shape->rows, shape->inner, shape->columns, &at);
        at.a += from;
        at.b += to;
        at.c += from * to;
    }
}

static Product one(int inner, int columns, const float *a, const float *b, float *c, bool add) {
    return (Product){a, b, c, (size_t)inner, 1, (size_t)columns, (size_t)columns, add};
}

void product_run(int rows, int inner, int columns, const float *a, const float *b, float *c) {
    multiply_in_parts(rows, inner, columns, one(inner, columns, a, b, c, false));
}

void product_add(int rows, int inner, int columns, const float *a, const float *b, float *c) {
    multiply_in_parts(rows, inner, columns, one(inner, columns, a, b, c, true));
}
