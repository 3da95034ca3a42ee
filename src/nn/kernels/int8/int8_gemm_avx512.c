#include "nn/kernels/int8/int8_gemm_rows.h"

#if defined(__x86_64__)
#include "nn/kernels/avx512.h"

#define TARGET AVX512_TARGET("")
#define TARGET_VNNI AVX512_TARGET(",avx512vnni")

enum { LANES = INT8_GEMM_LANES, HIGH = 8, WIDE = 3 };

TARGET float int8_largest_avx512(const float *x, int count) {
    __m512 even = _mm512_setzero_ps(), odd = even;
    int i = 0;
    for (; i + 32 <= count; i += 32) {
        even = _mm512_max_ps(_mm512_abs_ps(_mm512_loadu_ps(x + i)), even);
        odd = _mm512_max_ps(_mm512_abs_ps(_mm512_loadu_ps(x + i + 16)), odd);
    }
    for (; i < count; i += 16)
        even = _mm512_max_ps(_mm512_abs_ps(_mm512_maskz_loadu_ps(avx512_lanes(count - i), x + i)),
                             even);
    return _mm512_reduce_max_ps(_mm512_max_ps(even, odd));
}

TARGET void int8_round_avx512(const Int8Rounding *rounding, uint8_t *to) {
    int padded = (int)int8_gemm_padded(rounding->depth);
    __m512 inverse = _mm512_set1_ps(rounding->inverse), min = _mm512_set1_ps(rounding->min),
           max = _mm512_set1_ps(rounding->max);
    __m512i shift = _mm512_set1_epi32(rounding->shift), lowest = _mm512_set1_epi32(127);
    for (int i = 0; i < padded; i += 16) {
        __m512 x = _mm512_maskz_loadu_ps(avx512_lanes(rounding->depth - i), rounding->x + i),
               p = _mm512_max_ps(_mm512_mul_ps(x, inverse), min); /* NaN becomes the minimum */
        __m512i integers = _mm512_cvtps_epi32(_mm512_min_ps(p, max));
        __mmask16 mask = avx512_lanes(padded - i);
        if (rounding->low) {
            _mm512_mask_cvtusepi32_storeu_epi8(rounding->low + i, mask,
                                               _mm512_and_si512(integers, lowest));
            integers = _mm512_srai_epi32(integers, 7);
        }
        _mm512_mask_cvtusepi32_storeu_epi8(to + i, mask, _mm512_add_epi32(integers, shift));
    }
}

/* The element type must be int, because the instruction of BLOCK is defined for int. With another
 * type, compilers keep copies of the sums in memory. */
typedef int Sums __attribute__((vector_size(64)));

/* Scales the sums of one group of columns, adds the bias, and stores the results or adds them to
 * y. */
TARGET_VNNI static inline void store(const Int8GemmCall *call, Sums sum, float row_scale, int j,
                                     float *y) {
    const Int8Columns *b = call->b;
    __mmask16 mask = avx512_lanes(b->columns - j);
    __m512i exact = (__m512i)sum;
    if (call->a->kind != INT8_ROWS_FRACTIONS)
        exact = _mm512_sub_epi32(exact, _mm512_slli_epi32(_mm512_loadu_si512(b->sums + j), 7));
    __m512 scale = _mm512_mul_ps(_mm512_set1_ps(row_scale), _mm512_loadu_ps(b->scales + j)),
           bias = call->bias ? _mm512_maskz_loadu_ps(mask, call->bias + j) : _mm512_setzero_ps(),
           value = _mm512_fmadd_ps(_mm512_cvtepi32_ps(exact), scale, bias);
    if (call->add) value = _mm512_add_ps(_mm512_maskz_loadu_ps(mask, y), value);
    _mm512_mask_storeu_ps(y, mask, value);
}

/* Defines a function for `high` rows by `wide` groups of 16 columns. */
#define BLOCK(name, high, wide)                                                                    \
    TARGET_VNNI static void name(const Int8GemmCall *call, int row, int j) {                       \
        size_t padded = int8_gemm_padded(call->a->depth), quads = padded / 4,                      \
               group = padded * LANES;                                                             \
        const uint8_t *p0 = (const uint8_t *)call->a->packed + (size_t)row * padded,               \
                      *p3 = p0 + 3 * padded, *p6 = p3 + 3 * padded;                                \
        const int8_t *q = (const int8_t *)call->b->packed + (size_t)j * padded;                    \
        Sums sum[high][wide];                                                                      \
        _Pragma("GCC unroll 8") for (int i = 0; i < (high); i++) {                                 \
            _Pragma("GCC unroll 3") for (int g = 0; g < (wide); g++) sum[i][g] = (Sums){0};        \
        }                                                                                          \
        for (size_t k = 0; k < quads; k++, p0 += 4, p3 += 4, p6 += 4, q += 4 * LANES) {            \
            __m512i right[wide];                                                                   \
            _Pragma("GCC unroll 3") for (int g = 0; g < (wide); g++) right[g] =                    \
                _mm512_loadu_si512(q + (size_t)g * group);                                         \
            _Pragma("GCC unroll 8") for (int i = 0; i < (high); i++) {                             \
                const uint8_t *p = i < 3   ? p0 + (size_t)i * padded                               \
                                   : i < 6 ? p3 + (size_t)(i - 3) * padded                         \
                                           : p6 + (size_t)(i - 6) * padded;                        \
                int quad;                                                                          \
                __builtin_memcpy(&quad, p, sizeof quad);                                           \
                __m512i left = _mm512_set1_epi32(quad);                                            \
                _Pragma("GCC unroll 3") for (int g = 0; g < (wide); g++) sum[i][g] =               \
                    (Sums)_mm512_dpbusd_epi32((__m512i)sum[i][g], left, right[g]);                 \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 8") for (int i = 0; i < (high); i++) {                                 \
            float *y = call->y + (size_t)(row + i) * call->stride + j;                             \
            _Pragma("GCC unroll 3") for (int g = 0; g < (wide); g++)                               \
                store(call, sum[i][g], call->a->scales[row + i] * call->a->unit, j + LANES * g,    \
                      y + LANES * g);                                                              \
        }                                                                                          \
    }
BLOCK(block_8x1, HIGH, 1)
BLOCK(block_8x2, HIGH, 2)
BLOCK(block_8x3, HIGH, WIDE)
BLOCK(block_1x1, 1, 1)
BLOCK(block_1x2, 1, 2)
BLOCK(block_1x3, 1, WIDE)

/* Groups run three at a time, except that the last four run as two and two. */
void int8_gemm_vnni(const Int8GemmCall *call) {
    static void (*const MANY[])(const Int8GemmCall *, int,
                                int) = {block_8x1, block_8x2, block_8x3},
                                (*const ONE[])(const Int8GemmCall *, int,
                                               int) = {block_1x1, block_1x2, block_1x3};
    int groups = (call->b->columns + LANES - 1) / LANES;
    for (int g = 0; g < groups;) {
        int wide = groups - g == 4 ? 2 : groups - g < WIDE ? groups - g : WIDE, row = 0;
        for (; row + HIGH <= call->a->rows; row += HIGH)
            MANY[wide - 1](call, row, g * LANES);
        for (; row < call->a->rows; row++)
            ONE[wide - 1](call, row, g * LANES);
        g += wide;
    }
}
#else
float int8_largest_avx512(const float *x, int count) {
    (void)x;
    return (float)count;
}

void int8_round_avx512(const Int8Rounding *rounding, uint8_t *to) {
    (void)rounding;
    (void)to;
}

void int8_gemm_vnni(const Int8GemmCall *call) {
    (void)call;
}
#endif
