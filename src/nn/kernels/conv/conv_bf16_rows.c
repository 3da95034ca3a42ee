#include "nn/kernels/conv/conv_bf16_rows.h"

#if defined(__x86_64__)
#include "nn/kernels/avx512.h"

#define TARGET AVX512_TARGET(",avx512bf16")

/* Rounds two vectors to bf16 and interleaves them, the first in the low bits of each lane. */
TARGET static inline __m512i paired(__m512 first, __m512 second) {
    return _mm512_or_si512(avx512_to_bf16(first), _mm512_slli_epi32(avx512_to_bf16(second), 16));
}

TARGET void rows_pack(const RowsBoard *board, const float *x, uint32_t *bordered) {
    int edge = board->kernel / 2, even = 2 * board->pairs;
    for (int r = 0; r < board->height; r++) {
        for (int c = 0; c < board->width; c++, x += board->channels) {
            size_t cell = (size_t)((r + edge) * board->bordered_width + c + edge);
            uint16_t *to = (uint16_t *)(bordered + cell * (size_t)board->pairs);
            for (int i = 0; i < even; i += ROWS_LANES) {
                __m512 values = _mm512_maskz_loadu_ps(avx512_lanes(board->channels - i), x + i);
                _mm256_mask_storeu_epi16(to + i, avx512_lanes(even - i),
                                         (__m256i)_mm512_cvtneps_pbh(values));
            }
        }
    }
}

TARGET void rows_pack_forward(int out, int taps, int in, const float *weights, uint32_t *packed) {
    __m512i every =
        _mm512_mullo_epi32(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
                           _mm512_set1_epi32(taps * in));
    for (int o = 0; o < out; o += ROWS_LANES) {
        const float *from = weights + (size_t)o * (size_t)(taps * in);
        __mmask16 mask = avx512_lanes(out - o);
        for (int tap = 0; tap < taps; tap++, from += in) {
            for (int i = 0; i < in; i += 2, packed += ROWS_LANES) {
                __m512 zero = _mm512_setzero_ps();
                __m512 low = _mm512_mask_i32gather_ps(zero, mask, every, from + i, 4);
                __m512 high = i + 1 < in
                                  ? _mm512_mask_i32gather_ps(zero, mask, every, from + i + 1, 4)
                                  : zero;
                _mm512_storeu_si512(packed, paired(low, high));
            }
        }
    }
}

TARGET void rows_pack_backward(int out, int taps, int in, const float *weights, uint32_t *packed) {
    size_t every = (size_t)(taps * in);
    for (int i = 0; i < in; i += ROWS_LANES) {
        __mmask16 mask = avx512_lanes(in - i);
        for (int tap = taps - 1; tap >= 0; tap--) {
            const float *from = weights + (size_t)(tap * in + i);
            for (int o = 0; o < out; o += 2, packed += ROWS_LANES, from += 2 * every) {
                __m512 low = _mm512_maskz_loadu_ps(mask, from);
                __m512 high =
                    o + 1 < out ? _mm512_maskz_loadu_ps(mask, from + every) : _mm512_setzero_ps();
                _mm512_storeu_si512(packed, paired(low, high));
            }
        }
    }
}

/* The address of cell p. It is computed from the address of one of the cells 0, 3, 6 and 9, namely
 * the last of these that is not after p. So only every third cell needs a register for its
 * address. */
#define CELL(p)                                                                                    \
    ((p) < 3 ? f0 + (p)*s : (p) < 6 ? f3 + ((p)-3) * s : (p) < 9 ? f6 + ((p)-6) * s : f9)

/* Defines a function for rows_run(): `long` cells in each of `rows` rows, by `wide` groups of
 * result channels. */
#define ROW(name, long, rows, wide)                                                                \
    TARGET static void name(const RowsBoard *board, const RowsCall *call) {                        \
        enum { high = (long)*(rows) };                                                             \
        __m512 sum[high][wide];                                                                    \
        size_t s = (size_t)board->pairs, below = (size_t)board->bordered_width * s,                \
               group = (size_t)(board->kernel * board->kernel) * s * ROWS_LANES;                   \
        const uint32_t *w = call->weights;                                                         \
        _Pragma("GCC unroll 14") for (int p = 0; p < high; p++) {                                  \
            _Pragma("GCC unroll 3") for (int j = 0; j < (wide); j++) sum[p][j] =                   \
                _mm512_setzero_ps();                                                               \
        }                                                                                          \
        for (int ky = 0; ky < board->kernel; ky++) {                                               \
            for (int kx = 0; kx < board->kernel; kx++) {                                           \
                const uint32_t *f0 =                                                               \
                                   call->bordered + (size_t)(ky * board->bordered_width + kx) * s, \
                               *f3 = f0 + 3 * s, *f6 = f3 + 3 * s, *f9 = f6 + 3 * s;               \
                for (size_t q = 0; q < s; q++, f0++, f3++, f6++, f9++, w += ROWS_LANES) {          \
                    __m512bh of[wide];                                                             \
                    _Pragma("GCC unroll 3") for (int j = 0; j < (wide); j++) of[j] =               \
                        (__m512bh)_mm512_loadu_si512(w + (size_t)j * group);                       \
                    _Pragma("GCC unroll 14") for (int p = 0; p < high; p++) {                      \
                        __m512bh cell =                                                            \
                            (__m512bh)_mm512_set1_epi32((int)CELL(p % (long))[p / (long)*below]);  \
                        _Pragma("GCC unroll 3") for (int j = 0; j < (wide); j++) sum[p][j] =       \
                            _mm512_dpbf16_ps(sum[p][j], of[j], cell);                              \
                    }                                                                              \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 14") for (int p = 0; p < high; p++) {                                  \
            _Pragma("GCC unroll 3") for (int j = 0; j < (wide); j++) {                             \
                float *y = call->y + (size_t)(p % (long)) * call->stride + ROWS_LANES * j +        \
                           (size_t)(p / (long)) * call->y_row;                                     \
                __mmask16 mask = avx512_lanes(call->left - ROWS_LANES * j);                        \
                __m512 total = sum[p][j];                                                          \
                if (call->add) total = _mm512_add_ps(total, _mm512_maskz_loadu_ps(mask, y));       \
                _mm512_mask_storeu_ps(y, mask, total);                                             \
            }                                                                                      \
        }                                                                                          \
    }

#define ROWS_BY_TWO(long) ROW(row_##long##x1, long, 1, 1) ROW(row_##long##x2, long, 1, 2)
#define ROWS(long) ROWS_BY_TWO(long) ROW(row_##long##x3, long, 1, 3)
#define TWO_ROWS(long) ROW(two_rows_##long##x1, long, 2, 1) ROW(two_rows_##long##x2, long, 2, 2)
ROWS(1)
ROWS(2)
ROWS(3)
ROWS(4)
ROWS(5)
ROWS(6)
ROWS(7)
ROWS(8)
ROWS(9)
ROWS_BY_TWO(10)
TWO_ROWS(5)
TWO_ROWS(6)
TWO_ROWS(7)

typedef void (*Row)(const RowsBoard *board, const RowsCall *call);
#define BY_GROUPS(long)                                                                            \
    { row_##long##x1, row_##long##x2, row_##long##x3 }
static const Row BY_COUNT[ROWS_MAX][3] = {
    BY_GROUPS(1), BY_GROUPS(2), BY_GROUPS(3), BY_GROUPS(4), BY_GROUPS(5),
    BY_GROUPS(6), BY_GROUPS(7), BY_GROUPS(8), BY_GROUPS(9), {row_10x1, row_10x2}};
static const Row TWO_BY_COUNT[][2] = {
    {two_rows_5x1, two_rows_5x2}, {two_rows_6x1, two_rows_6x2}, {two_rows_7x1, two_rows_7x2}};

void rows_run(const RowsBoard *board, const RowsCall *call) {
    if (call->y_row)
        TWO_BY_COUNT[call->count - ROWS_TWO_MIN][call->groups - 1](board, call);
    else
        BY_COUNT[call->count - 1][call->groups - 1](board, call);
}

/* Stores the sums of the cells of a run. The arguments are those of rows_store_block(). */
TARGET static void store_run(const AmxRun *run, const AmxSums *sums, int part, float *y,
                             int channels, int left, bool add) {
    float *to = y + run->cell * (size_t)channels;
    for (int cell = run->first; cell < run->first + run->count; cell++, to += channels) {
        for (int j = 0; j < 2 && ROWS_LANES * j < left; j++) {
            __mmask16 mask = avx512_lanes(left - ROWS_LANES * j);
            __m512 total = _mm512_loadu_ps(sums->real[part][j][cell]);
            if (add) total = _mm512_add_ps(total, _mm512_maskz_loadu_ps(mask, to + ROWS_LANES * j));
            _mm512_mask_storeu_ps(to + ROWS_LANES * j, mask, total);
        }
    }
}

TARGET void rows_store_block(const AmxShape *shape, const AmxBlock *block, const AmxSums *sums,
                             float *y, int channels, int left, bool add) {
    AmxRun runs[AMX_CELLS];
    for (int part = 0; part < block->parts; part++) {
        int count = amx_runs(shape, block->number + part, runs);
        for (int i = 0; i < count; i++)
            store_run(&runs[i], sums, part, y, channels, left, add);
    }
}
#else
typedef int RowsNothing; /* other processors need nothing here: conv_bf16_can() is false */
#endif
