#include "nn/kernels/int8/int8_affine.h"

#include "nn/backends/backend.h"

#if defined(__x86_64__)
#include "nn/kernels/avx512.h"

#define TARGET AVX512_TARGET("")

enum { LANES = 16 };

bool int8_affine_can(void) {
    return backend_isa() >= ISA_AVX512;
}

/* Computes sixteen channels of all cells, so that their gains and shifts stay in registers. */
TARGET static void run_group(const Int8AffineCall *call, int c, __mmask16 mask) {
    __m512 gain = _mm512_maskz_loadu_ps(mask, call->gains + c),
           shift = _mm512_maskz_loadu_ps(mask, call->shifts + c),
           zero_point = _mm512_cvtepi32_ps(
               _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, call->zero_points + c)));
    __m512 min = call->relu ? _mm512_setzero_ps() : _mm512_set1_ps(-1e9f);
    __m512 max = _mm512_set1_ps(255.0f), none = _mm512_setzero_ps();
    const float *x = call->x + c;
    uint8_t *y = call->y + c;
    for (int cell = 0; cell < call->cells; cell++, x += call->channels, y += call->channels) {
        __m512 value = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, x), gain, shift);
        value = _mm512_add_ps(_mm512_max_ps(value, min), zero_point);
        value = _mm512_min_ps(_mm512_max_ps(value, none), max);
        _mm512_mask_cvtusepi32_storeu_epi8(y, mask, _mm512_cvtps_epi32(value));
    }
}

void int8_affine(const Int8AffineCall *call) {
    for (int c = 0; c < call->channels; c += LANES)
        run_group(call, c, avx512_lanes(call->channels - c));
}
#else
bool int8_affine_can(void) {
    return false;
}

void int8_affine(const Int8AffineCall *call) {
    (void)call;
}
#endif
