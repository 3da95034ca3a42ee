/* avx512.h - what several kernels for AVX-512 share. Only for x86-64. Threading: free functions
 * without state. */
#pragma once
#include <immintrin.h>

/* Compiles a function for AVX-512 and for the instructions in `more`, for example ",avx512vnni" or
 * "". Without prefer-vector-width gcc would vectorise loops with registers of 256 bits. */
#if defined(__clang__)
#define AVX512_TARGET(more) __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,fma" more)))
#else
#define AVX512_TARGET(more)                                                                        \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,fma,prefer-vector-width=512" more)))
#endif

/* Rounds 16 floats to bf16. Each result is in the low half of its lane. */
AVX512_TARGET(",avx512bf16") static inline __m512i avx512_to_bf16(__m512 values) {
    return _mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh(values));
}

/* Rounds 2 * 16 floats to bf16. Each lane of the result has a number of `low` in its low half and
 * one of `high` in its high half. */
AVX512_TARGET(",avx512bf16") static inline __m512i avx512_pair_bf16(__m512 low, __m512 high) {
    const __m512i order =
        _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6,
                         21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    return _mm512_permutexvar_epi16(order, (__m512i)_mm512_cvtne2ps_pbh(high, low));
}

/* Returns a mask of the first `left` of a register's 16 lanes: all lanes if `left` is at least 16,
 * none if it is 0 or less. */
static inline __mmask16 avx512_lanes(int left) {
    return (__mmask16)(left >= 16 ? 0xffff : left <= 0 ? 0 : (1u << left) - 1);
}

/* Transposes a matrix of 16 by 16 integers. */
AVX512_TARGET("") static inline void avx512_transpose(__m512i m[16]) {
    __m512i t[16];
    _Pragma("GCC unroll 8") for (int i = 0; i < 16; i += 2) {
        t[i] = _mm512_unpacklo_epi32(m[i], m[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(m[i], m[i + 1]);
    }
    _Pragma("GCC unroll 4") for (int i = 0; i < 16; i += 4) {
        m[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        m[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        m[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        m[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    /* Now part k of m[4 * i + j] has column 4 * k + j of the rows 4 * i .. 4 * i + 3. */
    _Pragma("GCC unroll 4") for (int j = 0; j < 4; j++) {
        t[j] = _mm512_shuffle_i32x4(m[j], m[j + 4], 0x88);
        t[j + 4] = _mm512_shuffle_i32x4(m[j], m[j + 4], 0xdd);
        t[j + 8] = _mm512_shuffle_i32x4(m[j + 8], m[j + 12], 0x88);
        t[j + 12] = _mm512_shuffle_i32x4(m[j + 8], m[j + 12], 0xdd);
    }
    _Pragma("GCC unroll 4") for (int j = 0; j < 4; j++) {
        m[j] = _mm512_shuffle_i32x4(t[j], t[j + 8], 0x88);
        m[j + 8] = _mm512_shuffle_i32x4(t[j], t[j + 8], 0xdd);
        m[j + 4] = _mm512_shuffle_i32x4(t[j + 4], t[j + 12], 0x88);
        m[j + 12] = _mm512_shuffle_i32x4(t[j + 4], t[j + 12], 0xdd);
    }
}
