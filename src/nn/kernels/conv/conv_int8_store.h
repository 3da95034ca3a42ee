/* conv_int8_store.h - how the kernels of conv_int8.h with AVX-512 or AMX store their sums. Only for
 * x86-64. Threading: free functions without state. */
#pragma once
#include "nn/kernels/avx512.h"
#include "nn/kernels/conv/conv_int8_row.h"

#define INT8_STORE_TARGET AVX512_TARGET("")

/* Scales the sums of group j of output channels at one cell, adds offsets and residuals, applies
 * relu, and stores the results. From the same sums, int8_row_plain() stores the same results. */
INT8_STORE_TARGET static inline void int8_store(const Int8Row *row, int cell, int j, __m512i sum) {
    const ConvInt8Call *call = row->call;
    size_t at = row->at + (size_t)(cell * row->stride + j * INT8_LANES);
    size_t channel = (size_t)(row->stride - row->left + j * INT8_LANES);
    __mmask16 mask = avx512_lanes(row->left - j * INT8_LANES);
    __m512 value =
        _mm512_fmadd_ps(_mm512_cvtepi32_ps(sum), _mm512_loadu_ps(row->scales + j * INT8_LANES),
                        _mm512_loadu_ps(row->offsets + j * INT8_LANES));
    if (call->residual)
        value = _mm512_add_ps(value, _mm512_maskz_loadu_ps(mask, call->residual + at));
    if (call->relu) value = _mm512_max_ps(value, _mm512_setzero_ps());
    if (call->y) {
        _mm512_mask_storeu_ps(call->y + at, mask, value);
        return;
    }
    __m512 zero_point = _mm512_cvtepi32_ps(
        _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, call->zero_points + channel)));
    __m512 inverse_scale = _mm512_maskz_loadu_ps(mask, call->inverse_scales + channel);
    __m512 q =
        _mm512_max_ps(_mm512_fmadd_ps(value, inverse_scale, zero_point), _mm512_setzero_ps());
    q = _mm512_min_ps(q, _mm512_set1_ps(255.0f));
    _mm512_mask_cvtusepi32_storeu_epi8(call->y_int8 + at, mask, _mm512_cvtps_epi32(q));
}
