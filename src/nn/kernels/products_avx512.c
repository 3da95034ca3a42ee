#include <stddef.h>
#include <string.h>

#include "nn/backends/backend.h"
#include "nn/kernels/products.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* c (rows, columns) = a (rows, inner) b (inner, columns), `add`: c += that. Numbers from one row to
 * the next, and in `a` from one column to the next. `pairs`: numbers of a and b are pairs of bf16,
 * whose two products are added. */
typedef struct {
    const float *a, *b;
    float *c;
    size_t a_row, a_step, b_row, c_row;
    bool add, pairs;
} Product;

#if defined(__x86_64__)
#define TARGET_FLOATS __attribute__((target("avx512f,fma")))
#define TARGET_PAIRS __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))
#define ADD_FLOATS(sum, left, right) _mm512_fmadd_ps(left, right, sum)
#define ADD_PAIRS(sum, left, right)                                                                \
    _mm512_dpbf16_ps(sum, (__m512bh)_mm512_castps_si512(left), (__m512bh)_mm512_castps_si512(right))

/* `high` rows by `wide` registers of sums stay in registers while the inner dimension runs by. */
#define BLOCK(name, high, wide, OF)                                                                \
    TARGET_##OF static void name(int inner, const Product *of, int row, int column) {              \
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
                    sum[i][j] = ADD_##OF(sum[i][j], left, right[j]);                               \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 12") for (int i = 0; i < (high); i++) {                                \
            _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) {                             \
                _mm512_storeu_ps(c + (size_t)i * c_row + 16 * j, sum[i][j]);                       \
            }                                                                                      \
        }                                                                                          \
    }

#define BLOCKS_OF(of, OF)                                                                          \
    BLOCK(of##_4x6, 4, 6, OF)                                                                      \
    BLOCK(of##_1x6, 1, 6, OF)                                                                      \
    BLOCK(of##_6x4, 6, 4, OF)                                                                      \
    BLOCK(of##_1x4, 1, 4, OF)                                                                      \
    BLOCK(of##_8x2, 8, 2, OF)                                                                      \
    BLOCK(of##_1x2, 1, 2, OF)                                                                      \
    BLOCK(of##_8x1, 8, 1, OF)                                                                      \
    BLOCK(of##_1x1, 1, 1, OF)
BLOCKS_OF(floats, FLOATS)
BLOCKS_OF(pairs, PAIRS)

typedef void (*Block)(int inner, const Product *of, int row, int column);
static const struct {
    int wide, high;
    Block many[2], one[2]; /* by `pairs` */
} BLOCKS[] = {{6, 4, {floats_4x6, pairs_4x6}, {floats_1x6, pairs_1x6}},
              {4, 6, {floats_6x4, pairs_6x4}, {floats_1x4, pairs_1x4}},
              {2, 8, {floats_8x2, pairs_8x2}, {floats_1x2, pairs_1x2}},
              {1, 8, {floats_8x1, pairs_8x1}, {floats_1x1, pairs_1x1}}};

static void multiply(int rows, int inner, int columns, const Product *of) {
    for (int column = 0; column < columns;) {
        int kind = 0, row = 0;
        while (16 * BLOCKS[kind].wide > columns - column)
            kind++;
        for (; row + BLOCKS[kind].high <= rows; row += BLOCKS[kind].high)
            BLOCKS[kind].many[of->pairs](inner, of, row, column);
        for (; row < rows; row++)
            BLOCKS[kind].one[of->pairs](inner, of, row, column);
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
    enum { INNER_MAX = 128 };
    for (int done = 0; done < inner; done += INNER_MAX) {
        int part = inner - done < INNER_MAX ? inner - done : INNER_MAX;
        multiply(rows, part, columns, &at);
        at.a += (size_t)part * at.a_step;
        at.b += (size_t)part * at.b_row;
        at.add = true;
    }
}

void products_run(const ProductsShape *shape, const float *a, const float *b, float *c) {
    size_t matrices = (size_t)shape->matrices, from = (size_t)shape->apart,
           to = (size_t)shape->columns;
    Product at = {a, b, c, matrices * from, 1, to, matrices * to, false, shape->pairs};
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
    Product at = {a, b, c, 1, matrices * from, matrices * to, to, true, shape->pairs};
    for (size_t p = 0; p < matrices; p++) {
        multiply(shape->rows, shape->inner, shape->columns, &at);
        at.a += from;
        at.b += to;
        at.c += from * to;
    }
}

static Product one(int inner, int columns, const float *a, const float *b, float *c, bool add) {
    return (Product){a, b, c, (size_t)inner, 1, (size_t)columns, (size_t)columns, add, false};
}

void product_run(int rows, int inner, int columns, const float *a, const float *b, float *c) {
    multiply_in_parts(rows, inner, columns, one(inner, columns, a, b, c, false));
}

void product_add(int rows, int inner, int columns, const float *a, const float *b, float *c) {
    multiply_in_parts(rows, inner, columns, one(inner, columns, a, b, c, true));
}

bool product_can_pairs(void) {
    return products_can(16) && backend_has_bf16();
}

void product_run_pairs(const PairsShape *shape, const float *a, const float *b, float *c) {
    size_t columns = (size_t)shape->columns;
    multiply_in_parts(shape->rows, shape->pairs, shape->columns,
                      (Product){.a = a,
                                .b = b,
                                .c = c,
                                .a_row = (size_t)shape->apart,
                                .a_step = 1,
                                .b_row = columns,
                                .c_row = columns,
                                .pairs = true});
}
