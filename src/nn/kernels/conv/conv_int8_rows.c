#include "nn/kernels/conv/conv_int8_rows.h"

#include <math.h>
#include <string.h>

/* Scales one sum, adds offset and residual, applies relu, and stores the result at index `at`.
 * `lane` is the output channel, counted from the first one of the call. */
static void finish_sum(const Int8Row *row, size_t at, int lane, int32_t sum) {
    const ConvInt8Call *call = row->call;
    float value = fmaf((float)sum, row->scales[lane], row->offsets[lane]);
    if (call->residual) value += call->residual[at];
    if (call->relu && !(value > 0.0f)) value = 0.0f;
    if (call->y) {
        call->y[at] = value;
        return;
    }
    size_t channel = at % (size_t)row->stride;
    float q =
        nearbyintf(fmaf(value, call->inverse_scales[channel], (float)call->zero_points[channel]));
    call->y_int8[at] = (uint8_t)(q > 0.0f ? fminf(q, 255.0f) : 0.0f); /* NaN becomes 0 */
}

/* Computes the sums of one cell for one group. */
static void plain_cell(const Int8Row *row, const uint32_t *bordered, const uint32_t *weights,
                       int32_t *sums) {
    const int8_t *w = (const int8_t *)weights;
    memset(sums, 0, INT8_LANES * sizeof *sums);
    for (int tap = 0; tap < row->kernel_h * row->kernel_w; tap++) {
        const uint32_t *cell = bordered + (size_t)(tap / row->kernel_w) * row->bordered_row +
                               (size_t)(tap % row->kernel_w) * row->quads;
        for (size_t q = 0; q < row->quads; q++, w += 4 * INT8_LANES) {
            const uint8_t *x = (const uint8_t *)(cell + q);
            for (int lane = 0; lane < INT8_LANES; lane++) {
                sums[lane] += x[0] * w[4 * lane] + x[1] * w[4 * lane + 1] + x[2] * w[4 * lane + 2] +
                              x[3] * w[4 * lane + 3];
            }
        }
    }
}

void int8_row_plain(const Int8Row *row) {
    for (int cell = 0; cell < row->count; cell++) {
        for (int j = 0; j < row->wide; j++) {
            int32_t sums[INT8_LANES];
            plain_cell(row, row->bordered + (size_t)cell * row->quads,
                       row->weights + (size_t)j * row->group, sums);
            for (int lane = 0; lane < INT8_LANES && j * INT8_LANES + lane < row->left; lane++) {
                int channel = j * INT8_LANES + lane;
                finish_sum(row, row->at + (size_t)(cell * row->stride + channel), channel,
                           sums[lane]);
            }
        }
    }
}

#if defined(__x86_64__)
#include "nn/kernels/conv/conv_int8_store.h"

#define TARGET AVX512_TARGET(",avx512vnni")

/* The element type must be int, because the instruction of added() is defined for int. With another
 * type, compilers keep copies of the sums in memory. */
typedef int Sums __attribute__((vector_size(64)));

TARGET static inline Sums added(Sums sums, __m512i cells, __m512i weights) {
    return (Sums)_mm512_dpbusd_epi32((__m512i)sums, cells, weights);
}

/* The address of cell p. It is computed from the address of one of the cells 0, 3, 6 and 9, namely
 * the last of these that is not after p. So only every third cell needs a register for its
 * address. */
#define CELL(p)                                                                                    \
    ((p) < 3 ? f0 + (p)*s : (p) < 6 ? f3 + ((p)-3) * s : (p) < 9 ? f6 + ((p)-6) * s : f9)

/* Defines a function for `high` cells by `wide_` groups of output channels. */
#define ROW(name, high, wide_)                                                                     \
    TARGET static void name(const Int8Row *row) {                                                  \
        Sums sum[high][wide_];                                                                     \
        size_t s = row->quads;                                                                     \
        const uint32_t *w0 = row->weights, *w1 = w0 + row->group, *w2 = w1 + row->group;           \
        _Pragma("GCC unroll 10") for (int p = 0; p < (high); p++) {                                \
            _Pragma("GCC unroll 3") for (int j = 0; j < (wide_); j++) sum[p][j] = (Sums){0};       \
        }                                                                                          \
        for (int ky = 0; ky < row->kernel_h; ky++) {                                               \
            for (int kx = 0; kx < row->kernel_w; kx++) {                                           \
                const uint32_t *f0 = row->bordered + (size_t)ky * row->bordered_row +              \
                                     (size_t)kx * s,                                               \
                               *f3 = f0 + 3 * s, *f6 = f3 + 3 * s, *f9 = f6 + 3 * s;               \
                for (size_t q = 0; q < s; q++, f0++, f3++, f6++, f9++) {                           \
                    __m512i a = _mm512_loadu_si512(w0),                                            \
                            b = (wide_) > 1 ? _mm512_loadu_si512(w1) : a,                          \
                            c = (wide_) > 2 ? _mm512_loadu_si512(w2) : a;                          \
                    w0 += INT8_LANES;                                                              \
                    w1 += INT8_LANES;                                                              \
                    w2 += INT8_LANES;                                                              \
                    _Pragma("GCC unroll 10") for (int p = 0; p < (high); p++) {                    \
                        __m512i cell = _mm512_set1_epi32((int)*(CELL(p)));                         \
                        sum[p][0] = added(sum[p][0], cell, a);                                     \
                        if ((wide_) > 1)                                                           \
                            sum[p][(wide_) > 1] = added(sum[p][(wide_) > 1], cell, b);             \
                        if ((wide_) > 2) sum[p][(wide_)-1] = added(sum[p][(wide_)-1], cell, c);    \
                    }                                                                              \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        if (row->plain) {                                                                          \
            _Pragma("GCC unroll 3") for (int j = 0; j < (wide_); j++) {                            \
                __m512 scale = _mm512_loadu_ps(row->scales + j * INT8_LANES),                      \
                       offset = _mm512_loadu_ps(row->offsets + j * INT8_LANES);                    \
                float *y = row->call->y + row->at + j * INT8_LANES;                                \
                _Pragma("GCC unroll 10") for (int p = 0; p < (high); p++, y += row->stride)        \
                    _mm512_storeu_ps(y, _mm512_fmadd_ps(_mm512_cvtepi32_ps((__m512i)sum[p][j]),    \
                                                        scale, offset));                           \
            }                                                                                      \
            return;                                                                                \
        }                                                                                          \
        _Pragma("GCC unroll 10") for (int p = 0; p < (high); p++) {                                \
            _Pragma("GCC unroll 3") for (int j = 0; j < (wide_); j++)                              \
                int8_store(row, p, j, (__m512i)sum[p][j]);                                         \
        }                                                                                          \
    }

#define ROWS(high) ROW(row_##high##x1, high, 1) ROW(row_##high##x2, high, 2)
#define WIDE_ROWS(high) ROWS(high) ROW(row_##high##x3, high, 3)
WIDE_ROWS(1)
WIDE_ROWS(2)
WIDE_ROWS(3)
WIDE_ROWS(4)
WIDE_ROWS(5)
WIDE_ROWS(6)
WIDE_ROWS(7)
WIDE_ROWS(8)
WIDE_ROWS(9)
ROWS(10)

void int8_row_vnni(const Int8Row *row) {
    static void (*const BY_COUNT[INT8_CELLS_MAX][INT8_GROUPS_MAX])(const Int8Row *row) = {
        {row_1x1, row_1x2, row_1x3}, {row_2x1, row_2x2, row_2x3}, {row_3x1, row_3x2, row_3x3},
        {row_4x1, row_4x2, row_4x3}, {row_5x1, row_5x2, row_5x3}, {row_6x1, row_6x2, row_6x3},
        {row_7x1, row_7x2, row_7x3}, {row_8x1, row_8x2, row_8x3}, {row_9x1, row_9x2, row_9x3},
        {row_10x1, row_10x2, NULL}};
    BY_COUNT[row->count - 1][row->wide - 1](row);
}
#else
void int8_row_vnni(const Int8Row *row) {
    int8_row_plain(row);
}
#endif
