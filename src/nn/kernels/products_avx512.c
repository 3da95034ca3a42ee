#include "nn/kernels/products.h"

#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#include "nn/backend.h"

#define TARGET __attribute__((target("avx512f,fma")))

/* Where the left matrix has a row's next number, and the next row's. */
typedef struct {
    size_t step, row;
} Left;

/* `high` rows by `wide` registers of sums stay in registers while the inner dimension runs by. */
#define BLOCK(name, high, wide)                                                                    \
    TARGET static void name(int inner, int columns, const float *a, Left left_at, const float *b,  \
                            float *c, bool add) {                                                  \
        __m512 sum[high][wide];                                                                    \
        _Pragma("GCC unroll 12") for (int i = 0; i < (high); i++) {                                \
            _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) sum[i][j] =                   \
                add ? _mm512_loadu_ps(c + (size_t)i * (size_t)columns + 16 * j)                    \
                    : _mm512_setzero_ps();                                                         \
        }                                                                                          \
        for (int k = 0; k < inner; k++, a += left_at.step, b += columns) {                         \
            __m512 right[wide];                                                                    \
            _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) right[j] =                    \
                _mm512_loadu_ps(b + 16 * j);                                                       \
            _Pragma("GCC unroll 12") for (int i = 0; i < (high); i++) {                            \
                __m512 left = _mm512_set1_ps(a[(size_t)i * left_at.row]);                          \
                _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) {                         \
                    sum[i][j] = _mm512_fmadd_ps(left, right[j], sum[i][j]);                        \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 12") for (int i = 0; i < (high); i++) {                                \
            _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) {                             \
                _mm512_storeu_ps(c + (size_t)i * (size_t)columns + 16 * j, sum[i][j]);             \
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

typedef void (*Block)(int inner, int columns, const float *a, Left left_at, const float *b,
                      float *c, bool add);
static const struct {
    int wide, high;
    Block many, one;
} BLOCKS[] = {{6, 4, block_4x6, block_1x6},
              {4, 6, block_6x4, block_1x4},
              {2, 8, block_8x2, block_1x2},
              {1, 8, block_8x1, block_1x1}};

static void one_product(int rows, int inner, int columns, const float *a, Left left_at,
                        const float *b, float *c, bool add) {
    for (int column = 0; column < columns;) {
        int kind = 0;
        while (16 * BLOCKS[kind].wide > columns - column)
            kind++;
        int row = 0;
        for (; row + BLOCKS[kind].high <= rows; row += BLOCKS[kind].high) {
            BLOCKS[kind].many(inner, columns, a + (size_t)row * left_at.row, left_at, b + column,
                              c + (size_t)row * (size_t)columns + column, add);
        }
        for (; row < rows; row++) {
            BLOCKS[kind].one(inner, columns, a + (size_t)row * left_at.row, left_at, b + column,
                             c + (size_t)row * (size_t)columns + column, add);
        }
        column += 16 * BLOCKS[kind].wide;
    }
}

/* A block of columns of the right matrix stays in the first cache. */
enum { INNER_MOST = 128 };

static void product_in_parts(int rows, int inner, int columns, const float *a, const float *b,
                             float *c, bool add) {
    for (int done = 0; done < inner; done += INNER_MOST) {
        int part = inner - done < INNER_MOST ? inner - done : INNER_MOST;
        one_product(rows, part, columns, a + done, (Left){1, (size_t)inner},
                    b + (size_t)done * (size_t)columns, c, add || done);
    }
}

bool products_can(int columns) {
    return columns % 16 == 0 && backend_isa() >= ISA_AVX512;
}

void products_run(int matrices, int rows, int inner, int columns, const float *a, const float *b,
                  float *c) {
    for (int p = 0; p < matrices; p++) {
        product_in_parts(rows, inner, columns, a, b, c, false);
        a += (size_t)rows * (size_t)inner;
        b += (size_t)inner * (size_t)columns;
        c += (size_t)rows * (size_t)columns;
    }
}

void products_add(int rows, int inner, int columns, const float *a, const float *b, float *c) {
    product_in_parts(rows, inner, columns, a, b, c, true);
}

void products_add_transposed(int matrices, int rows, int inner, int columns, const float *a,
                             const float *b, float *c) {
    for (int p = 0; p < matrices; p++) {
        one_product(rows, inner, columns, a, (Left){(size_t)rows, 1}, b, c, true);
        a += (size_t)rows * (size_t)inner;
        b += (size_t)inner * (size_t)columns;
        c += (size_t)rows * (size_t)columns;
    }
}
#else
bool products_can(int columns) {
    (void)columns;
    return false;
}

void products_add(int rows, int inner, int columns, const float *a, const float *b, float *c) {
    for (int i = 0; i < rows; i++, a += inner, c += columns) {
        for (int k = 0; k < inner; k++) {
            for (int j = 0; j < columns; j++)
                c[j] += a[k] * b[k * columns + j];
        }
    }
}

void products_run(int matrices, int rows, int inner, int columns, const float *a, const float *b,
                  float *c) {
    for (int p = 0; p < matrices;
         p++, a += rows * inner, b += inner * columns, c += rows * columns) {
        memset(c, 0, (size_t)(rows * columns) * sizeof *c);
        products_add(rows, inner, columns, a, b, c);
    }
}

void products_add_transposed(int matrices, int rows, int inner, int columns, const float *a,
                             const float *b, float *c) {
    for (int p = 0; p < matrices; p++, c += (size_t)rows * (size_t)columns) {
        for (int k = 0; k < inner; k++, a += rows, b += columns) {
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < columns; j++)
                    c[i * columns + j] += a[i] * b[j];
            }
        }
    }
}
#endif
