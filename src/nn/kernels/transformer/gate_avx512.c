#include "nn/kernels/transformer/gate_avx512.h"

#if defined(__x86_64__)
#include "nn/kernels/transformer/avx512_exp.h"

#define TARGET AVX512_TARGET("")

TARGET void gate_forward(size_t count, const float *u, const float *g, float *m) {
    for (size_t i = 0; i < count; i += 16) {
        __mmask16 mask = count - i < 16 ? avx512_lanes((int)(count - i)) : 0xffff;
        __m512 x = _mm512_maskz_loadu_ps(mask, u + i),
               y = _mm512_mul_ps(x, _mm512_maskz_loadu_ps(mask, g + i));
        _mm512_mask_storeu_ps(m + i, mask, _mm512_mul_ps(y, avx512_sigmoid(x)));
    }
}

/* The derivative of silu(u) is s (1 + u (1 - s)), where s is sigmoid(u). */
TARGET void gate_backward(size_t count, const float *dm, float *u, float *g) {
    const __m512 one = _mm512_set1_ps(1);
    for (size_t i = 0; i < count; i += 16) {
        __mmask16 mask = count - i < 16 ? avx512_lanes((int)(count - i)) : 0xffff;
        __m512 x = _mm512_maskz_loadu_ps(mask, u + i), s = avx512_sigmoid(x),
               slope = _mm512_mul_ps(s, _mm512_maskz_loadu_ps(mask, dm + i)),
               gate = _mm512_maskz_loadu_ps(mask, g + i);
        _mm512_mask_storeu_ps(g + i, mask, _mm512_mul_ps(slope, x));
        _mm512_mask_storeu_ps(u + i, mask,
                              _mm512_mul_ps(_mm512_mul_ps(slope, gate),
                                            _mm512_fmadd_ps(x, _mm512_sub_ps(one, s), one)));
    }
}
#else
void gate_forward(size_t count, const float *u, const float *g, float *m) {
    (void)count, (void)u, (void)g, (void)m;
}

void gate_backward(size_t count, const float *dm, float *u, float *g) {
    (void)count, (void)dm, (void)u, (void)g;
}
#endif
