/* avx512.h - what kernels for AVX-512 begin with; only for x86-64. Threading: free functions
 * without state. */
#pragma once
#include <immintrin.h>

/* Makes a function one for AVX-512 and for `more` instructions, as in ",avx512vnni", or "". Left to
 * itself gcc takes registers of 256 bits. */
#if defined(__clang__)
#define AVX512_TARGET(more) __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,fma" more)))
#else
#define AVX512_TARGET(more)                                                                        \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,fma,prefer-vector-width=512" more)))
#endif

/* The first `left` of a register's 16 lanes; all of them, or none, where it is beyond. */
static inline __mmask16 avx512_lanes(int left) {
    return (__mmask16)(left >= 16 ? 0xffff : left <= 0 ? 0 : (1u << left) - 1);
}
