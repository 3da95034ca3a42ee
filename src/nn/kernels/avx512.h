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

/* Returns a mask of the first `left` of a register's 16 lanes: all lanes if `left` is at least 16,
 * none if it is 0 or less. */
static inline __mmask16 avx512_lanes(int left) {
    return (__mmask16)(left >= 16 ? 0xffff : left <= 0 ? 0 : (1u << left) - 1);
}
