#include "nn/kernels/bf16.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16")))

TARGET static inline __m256i rounded(const float *x) {
    return (__m256i)_mm512_cvtneps_pbh(_mm512_loadu_ps(x));
}

TARGET void bf16_pack(const float *x, int count, float *pairs) {
    for (int i = 0; i < count; i += 16)
        _mm256_storeu_si256((__m256i *)(pairs + i / 2), rounded(x + i));
}

TARGET void bf16_interleave(const float *first, const float *second, int count, float *pairs) {
    for (int i = 0; i < count; i += 16) {
        __m512i low = _mm512_cvtepu16_epi32(rounded(first + i)),
                high = _mm512_slli_epi32(_mm512_cvtepu16_epi32(rounded(second + i)), 16);
        _mm512_storeu_si512(pairs + i, _mm512_or_si512(low, high));
    }
}
#else
void bf16_pack(const float *x, int count, float *pairs) {
    (void)x;
    (void)count;
    (void)pairs;
}

void bf16_interleave(const float *first, const float *second, int count, float *pairs) {
    (void)first;
    (void)second;
    (void)count;
    (void)pairs;
}
#endif
