#include "nn/kernels/transformer/amx_pack.h"

#if defined(__x86_64__)
#include "nn/kernels/avx512.h"

#define TARGET AVX512_TARGET(",avx512bf16")

enum { LANES = 16, DEPTH = 32, UNITS = DEPTH / 2 };

/* Returns 16 numbers from element (row, column) on; 0 where there is no element. */
TARGET static inline __m512 load(const AmxMatrix *from, size_t row, size_t column) {
    if (row >= from->rows || column >= from->columns) return _mm512_setzero_ps();
    __mmask16 mask = avx512_lanes((int)(from->columns - column));
    return _mm512_mul_ps(_mm512_maskz_loadu_ps(mask, from->x + row * from->stride + column),
                         _mm512_set1_ps(from->factor));
}

/* Returns 32 neighbours in a row as units. */
TARGET static inline __m512i load_row(const AmxMatrix *from, size_t row, size_t column) {
    return (__m512i)_mm512_cvtne2ps_pbh(load(from, row, column + LANES), load(from, row, column));
}

TARGET void amx_pack_rows(const AmxMatrix *from, size_t stride, uint32_t *to) {
    for (size_t row = 0; row < from->rows; row++, to += stride) {
        for (size_t column = 0; column < from->columns; column += DEPTH)
            _mm512_storeu_si512(to + column / 2, load_row(from, row, column));
    }
}

TARGET void amx_pack_rows_transposed(const AmxMatrix *from, size_t stride, uint32_t *to) {
    for (size_t column = 0; column < from->columns; column += LANES) {
        for (size_t row = 0; row < from->rows; row += DEPTH) {
            __m512i block[LANES];
            _Pragma("GCC unroll 16") for (size_t i = 0; i < LANES; i++) block[i] = avx512_pair_bf16(
                load(from, row + 2 * i, column), load(from, row + 2 * i + 1, column));
            avx512_transpose(block);
            _Pragma("GCC unroll 16") for (size_t i = 0; i < LANES; i++)
                _mm512_storeu_si512(to + (column + i) * stride + row / 2, block[i]);
        }
    }
}

TARGET void amx_pack_panels(const AmxMatrix *from, size_t units, uint32_t *to) {
    size_t filled = (from->rows + DEPTH - 1) / DEPTH * UNITS;
    for (size_t column = 0; column < from->columns; column += LANES, to += units * LANES) {
        for (size_t unit = 0; unit < filled; unit++)
            _mm512_storeu_si512(
                to + unit * LANES,
                avx512_pair_bf16(load(from, 2 * unit, column), load(from, 2 * unit + 1, column)));
    }
}

TARGET void amx_pack_panels_transposed(const AmxMatrix *from, size_t units, uint32_t *to) {
    for (size_t row = 0; row < from->rows; row += LANES, to += units * LANES) {
        for (size_t column = 0; column < from->columns; column += DEPTH) {
            __m512i block[LANES];
            _Pragma("GCC unroll 16") for (size_t i = 0; i < LANES; i++) block[i] =
                load_row(from, row + i, column);
            avx512_transpose(block);
            _Pragma("GCC unroll 16") for (size_t i = 0; i < LANES; i++)
                _mm512_storeu_si512(to + (column / 2 + i) * LANES, block[i]);
        }
    }
}

TARGET void amx_add_transposed(size_t rows, size_t columns, const float *x, float *y) {
    for (size_t row = 0; row < rows; row += LANES) {
        for (size_t column = 0; column < columns; column += LANES) {
            __m512i block[LANES];
            _Pragma("GCC unroll 16") for (size_t i = 0; i < LANES; i++) block[i] =
                _mm512_loadu_si512(x + (row + i) * columns + column);
            avx512_transpose(block);
            for (size_t i = 0; i < LANES; i++) {
                float *to = y + (column + i) * rows + row;
                _mm512_storeu_ps(to,
                                 _mm512_add_ps(_mm512_loadu_ps(to), _mm512_castsi512_ps(block[i])));
            }
        }
    }
}
#else
void amx_pack_rows(const AmxMatrix *from, size_t stride, uint32_t *to) {
    (void)from, (void)stride, (void)to;
}

void amx_pack_rows_transposed(const AmxMatrix *from, size_t stride, uint32_t *to) {
    (void)from, (void)stride, (void)to;
}

void amx_pack_panels(const AmxMatrix *from, size_t units, uint32_t *to) {
    (void)from, (void)units, (void)to;
}

void amx_pack_panels_transposed(const AmxMatrix *from, size_t units, uint32_t *to) {
    (void)from, (void)units, (void)to;
}

void amx_add_transposed(size_t rows, size_t columns, const float *x, float *y) {
    (void)rows, (void)columns, (void)x, (void)y;
}
#endif
