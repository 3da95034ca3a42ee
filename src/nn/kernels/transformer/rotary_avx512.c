#include "nn/kernels/transformer/rotary_avx512.h"

#if defined(__x86_64__)
#include "nn/kernels/avx512.h"

#define TARGET AVX512_TARGET("")

/* Exchanges the two channels of each pair. */
TARGET static inline __m512 exchange(__m512 x) {
    return _mm512_permute_ps(x, 0xb1);
}

TARGET void rotary_rotate(size_t count, const float *turns, float *x) {
    for (size_t i = 0; i < count; i += 16) {
        __mmask16 mask = avx512_lanes((int)(count - i));
        __m512 turn = _mm512_maskz_loadu_ps(mask, turns + i),
               old = _mm512_maskz_loadu_ps(mask, x + i),
               sines = _mm512_mul_ps(exchange(old), _mm512_movehdup_ps(turn));
        _mm512_mask_storeu_ps(x + i, mask,
                              _mm512_fmaddsub_ps(old, _mm512_moveldup_ps(turn), sines));
    }
}

TARGET static inline void add_to(float *sums, __mmask16 mask, float factor, __m512 x) {
    __m512 sum = _mm512_maskz_loadu_ps(mask, sums);
    _mm512_mask_storeu_ps(sums, mask, _mm512_fmadd_ps(_mm512_set1_ps(factor), x, sum));
}

TARGET void rotary_rotate_back(size_t count, const float *turns, const float *y,
                               const RotarySums *sums, float *dy) {
    for (size_t i = 0; i < count; i += 16) {
        __mmask16 mask = avx512_lanes((int)(count - i));
        __m512 turn = _mm512_maskz_loadu_ps(mask, turns + i),
               old = _mm512_maskz_loadu_ps(mask, dy + i),
               sines = _mm512_mul_ps(exchange(old), _mm512_movehdup_ps(turn));
        if (sums) {
            __m512 slope = _mm512_mul_ps(old, exchange(_mm512_maskz_loadu_ps(mask, y + i)));
            add_to(sums->columns + i, mask, sums->column, slope);
            add_to(sums->rows + i, mask, sums->row, slope);
        }
        _mm512_mask_storeu_ps(dy + i, mask,
                              _mm512_fmsubadd_ps(old, _mm512_moveldup_ps(turn), sines));
    }
}
#else
void rotary_rotate(size_t count, const float *turns, float *x) {
    (void)count, (void)turns, (void)x;
}

void rotary_rotate_back(size_t count, const float *turns, const float *y, const RotarySums *sums,
                        float *dy) {
    (void)count, (void)turns, (void)y, (void)sums, (void)dy;
}
#endif
