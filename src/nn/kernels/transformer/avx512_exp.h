/* avx512_exp.h - exponentials of 16 floats. Only for x86-64. Threading: free functions without
 * state. */
#pragma once
#include "nn/kernels/avx512.h"

/* Computes exp(x) = 2^n e^r with |r| <= ln(2) / 2, where e^r is the polynomial of Cephes (expf.c).
 * The relative error is below 1e-6. x may be any number up to 88, also minus infinity. From -128
 * down the result is 0. If x is NaN, the result is NaN. */
AVX512_TARGET("") static inline __m512 avx512_exp(__m512 x) {
    enum { NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };
    x = _mm512_max_ps(_mm512_set1_ps(-128), x); /* if x is NaN, it stays NaN */
    __m512 n = _mm512_roundscale_ps(_mm512_mul_ps(x, _mm512_set1_ps(1.44269504f)), NEAREST);
    __m512 r = _mm512_fmadd_ps(n, _mm512_set1_ps(-0.693359375f), x);
    r = _mm512_fmadd_ps(n, _mm512_set1_ps(2.12194440e-4f), r);
    __m512 p = _mm512_set1_ps(1.9875691500e-4f);
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.3981999507e-3f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(8.3334519073e-3f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(4.1665795894e-2f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.6666665459e-1f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(5.0000001201e-1f));
    p = _mm512_fmadd_ps(_mm512_mul_ps(p, r), r, r);
    return _mm512_scalef_ps(_mm512_add_ps(p, _mm512_set1_ps(1)), n);
}

/* Computes 1 / (1 + exp(-x)). The relative error is below 2e-6 if the result is at least 1e-37. */
AVX512_TARGET("") static inline __m512 avx512_sigmoid(__m512 x) {
    const __m512 one = _mm512_set1_ps(1), limit = _mm512_set1_ps(87);
    __m512 e = avx512_exp(_mm512_min_ps(limit, _mm512_sub_ps(_mm512_setzero_ps(), x))),
           sum = _mm512_add_ps(one, e), y = _mm512_rcp14_ps(sum);
    return _mm512_mul_ps(y, _mm512_fnmadd_ps(sum, y, _mm512_set1_ps(2))); /* one step of Newton's */
}

/* Computes 2^x, by a polynomial in the fraction of x. The relative error is below 4e-6. x may be
 * any finite number up to 127; far below -149 the result is 0. Lanes whose bit in `lanes` is 0
 * become 0. */
AVX512_TARGET("") static inline __m512 avx512_exp2(__mmask16 lanes, __m512 x) {
    enum { NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC };
    __m512 n = _mm512_roundscale_ps(x, NEAREST), r = _mm512_sub_ps(x, n);
    __m512 p = _mm512_set1_ps(9.5701003e-3f);
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(5.5917859e-2f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(2.4024744e-1f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(6.9312179e-1f));
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(9.9999928e-1f));
    return _mm512_maskz_scalef_ps(lanes, p, n);
}
