/* How a product is computed:
 *   1. multiply_in_blocks(): cut the depth into blocks, so that what step 3 reads of b stays in the
 *      L1 cache. Every block after the first adds to c. gemm_batch_add_transposed() omits this
 *      step.
 *   2. multiply(): cut c into blocks that fit the registers, as wide as the columns allow (BLOCKS).
 *   3. BLOCK: set the sums to c or to 0, go through the depth with one multiply-add for each
 *      register of sums, and store the sums. */
#include <stddef.h>
#include <string.h>

#include "nn/backends/backend.h"
#include "nn/kernels/gemm.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* The operands of c = a b or, with `add`, of c += a b, where a is (rows, depth), b is (depth,
 * columns) and c is (rows, columns). Strides are counted in elements. With `bf16` the elements of a
 * and b are pairs of bf16. */
typedef struct {
    const float *a, *b;
    float *c;
    size_t a_row_stride, a_column_stride, b_row_stride, c_row_stride;
    bool add, bf16;
} Gemm;

#if defined(__x86_64__)
#define TARGET_FLOATS __attribute__((target("avx512f,fma")))
#define TARGET_PAIRS __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))
#define ADD_FLOATS(sum, left, right) _mm512_fmadd_ps(left, right, sum)
#define ADD_PAIRS(sum, left, right)                                                                \
    _mm512_dpbf16_ps(sum, (__m512bh)_mm512_castps_si512(left), (__m512bh)_mm512_castps_si512(right))

/* Defines a function for a block of `high` rows by `wide` registers of sums. The sums stay in
 * registers while the loop goes through the depth. OF is FLOATS or PAIRS (of bf16). */
#define BLOCK(name, high, wide, OF)                                                                \
    TARGET_##OF static void name(int depth, const Gemm *of, int row, int column) {                 \
        const float *a = of->a + (size_t)row * of->a_row_stride, *b = of->b + column;              \
        float *c = of->c + (size_t)row * of->c_row_stride + column;                                \
        size_t a_row_stride = of->a_row_stride, a_column_stride = of->a_column_stride,             \
               b_row_stride = of->b_row_stride, c_row_stride = of->c_row_stride;                   \
        __m512 sum[high][wide];                                                                    \
        _Pragma("GCC unroll 12") for (int i = 0; i < (high); i++) {                                \
            _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) sum[i][j] =                   \
                of->add ? _mm512_loadu_ps(c + (size_t)i * c_row_stride + 16 * j)                   \
                        : _mm512_setzero_ps();                                                     \
        }                                                                                          \
        for (int k = 0; k < depth; k++, a += a_column_stride, b += b_row_stride) {                 \
            __m512 right[wide];                                                                    \
            _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) right[j] =                    \
                _mm512_loadu_ps(b + 16 * j);                                                       \
            _Pragma("GCC unroll 12") for (int i = 0; i < (high); i++) {                            \
                __m512 left = _mm512_set1_ps(a[(size_t)i * a_row_stride]);                         \
                _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) {                         \
                    sum[i][j] = ADD_##OF(sum[i][j], left, right[j]);                               \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 12") for (int i = 0; i < (high); i++) {                                \
            _Pragma("GCC unroll 6") for (int j = 0; j < (wide); j++) {                             \
                _mm512_storeu_ps(c + (size_t)i * c_row_stride + 16 * j, sum[i][j]);                \
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

typedef void (*Block)(int depth, const Gemm *of, int row, int column);
static const struct {
    int wide, high;
    Block many[2], one[2]; /* for `high` rows and for one row; [1] multiplies pairs of bf16 */
} BLOCKS[] = {{6, 4, {floats_4x6, pairs_4x6}, {floats_1x6, pairs_1x6}},
              {4, 6, {floats_6x4, pairs_6x4}, {floats_1x4, pairs_1x4}},
              {2, 8, {floats_8x2, pairs_8x2}, {floats_1x2, pairs_1x2}},
              {1, 8, {floats_8x1, pairs_8x1}, {floats_1x1, pairs_1x1}}};

static void multiply(int rows, int depth, int columns, const Gemm *of) {
    for (int column = 0; column < columns;) {
        int kind = 0, row = 0;
        while (16 * BLOCKS[kind].wide > columns - column)
            kind++;
        for (; row + BLOCKS[kind].high <= rows; row += BLOCKS[kind].high)
            BLOCKS[kind].many[of->bf16](depth, of, row, column);
        for (; row < rows; row++)
            BLOCKS[kind].one[of->bf16](depth, of, row, column);
        column += 16 * BLOCKS[kind].wide;
    }
}

bool gemm_can(int columns) {
    return columns % 16 == 0 && backend_isa() >= ISA_AVX512;
}
#else
static void multiply(int rows, int depth, int columns, const Gemm *at) {
    for (int i = 0; i < rows; i++) {
        float *sums = at->c + (size_t)i * at->c_row_stride;
        if (!at->add) memset(sums, 0, (size_t)columns * sizeof *sums);
        for (int k = 0; k < depth; k++) {
            float left = at->a[(size_t)i * at->a_row_stride + (size_t)k * at->a_column_stride];
            for (int j = 0; j < columns; j++)
                sums[j] += left * at->b[(size_t)k * at->b_row_stride + (size_t)j];
        }
    }
}

bool gemm_can(int columns) {
    (void)columns;
    return false;
}
#endif

/* Cuts the depth into blocks, so that the part of b that a block of columns needs stays in the L1
 * cache. */
static void multiply_in_blocks(int rows, int depth, int columns, Gemm at) {
    enum { DEPTH_BLOCK = 128 };
    for (int done = 0; done < depth; done += DEPTH_BLOCK) {
        int part = depth - done < DEPTH_BLOCK ? depth - done : DEPTH_BLOCK;
        multiply(rows, part, columns, &at);
        at.a += (size_t)part * at.a_column_stride;
        at.b += (size_t)part * at.b_row_stride;
        at.add = true;
    }
}

void gemm_batch(const GemmBatchShape *shape, const float *a, const float *b, float *c) {
    size_t matrices = (size_t)shape->matrices, from = (size_t)shape->stride,
           to = (size_t)shape->columns;
    Gemm at = {a, b, c, matrices * from, 1, to, matrices * to, false, shape->bf16};
    for (size_t p = 0; p < matrices; p++) {
        multiply_in_blocks(shape->rows, shape->depth, shape->columns, at);
        at.a += from;
        at.b += (size_t)shape->depth * to;
        at.c += to;
    }
}

void gemm_batch_add_transposed(const GemmBatchShape *shape, const float *a, const float *b,
                               float *c) {
    size_t matrices = (size_t)shape->matrices, from = (size_t)shape->rows,
           to = (size_t)shape->columns;
    Gemm at = {a, b, c, 1, matrices * from, matrices * to, to, true, shape->bf16};
    for (size_t p = 0; p < matrices; p++) {
        multiply(shape->rows, shape->depth, shape->columns, &at);
        at.a += from;
        at.b += to;
        at.c += from * to;
    }
}

static Gemm one(int depth, int columns, const float *a, const float *b, float *c, bool add) {
    return (Gemm){a, b, c, (size_t)depth, 1, (size_t)columns, (size_t)columns, add, false};
}

void gemm(int rows, int depth, int columns, const float *a, const float *b, float *c) {
    multiply_in_blocks(rows, depth, columns, one(depth, columns, a, b, c, false));
}

void gemm_add(int rows, int depth, int columns, const float *a, const float *b, float *c) {
    multiply_in_blocks(rows, depth, columns, one(depth, columns, a, b, c, true));
}

bool gemm_can_bf16(void) {
    return gemm_can(16) && backend_has_bf16();
}

void gemm_bf16(const GemmBf16Shape *shape, const float *a, const float *b, float *c) {
    size_t columns = (size_t)shape->columns;
    multiply_in_blocks(shape->rows, shape->depth, shape->columns,
                       (Gemm){.a = a,
                              .b = b,
                              .c = c,
                              .a_row_stride = (size_t)shape->stride,
                              .a_column_stride = 1,
                              .b_row_stride = columns,
                              .c_row_stride = columns,
                              .bf16 = true});
}
