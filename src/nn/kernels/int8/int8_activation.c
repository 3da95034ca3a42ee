#include "nn/kernels/int8/int8_activation.h"

#if defined(__x86_64__)
#include <assert.h>

#include "nn/kernels/transformer/avx512_exp.h"

#define TARGET AVX512_TARGET("")
#define SET(value) _mm512_set1_ps(value)

enum { LANES = 16 };
static const float LOG2_E = 1.44269504f;

/* Computes a / b, with one step of Newton's method. */
TARGET static inline __m512 quotient(__m512 a, __m512 b) {
    __m512 y = _mm512_rcp14_ps(b);
    return _mm512_mul_ps(a, _mm512_mul_ps(y, _mm512_fnmadd_ps(b, y, SET(2))));
}

/* Computes e^(factor x). The exponent of 2 is limited to the range from -126 to `max`. NaN stays
 * NaN. */
TARGET static inline __m512 power(__m512 x, float factor, float max) {
    __m512 exponent = _mm512_mul_ps(x, SET(factor * LOG2_E));
    return avx512_exp2(0xffff, _mm512_max_ps(SET(-126), _mm512_min_ps(SET(max), exponent)));
}

TARGET static inline __m512 identity(__m512 x) {
    return x;
}

TARGET static inline __m512 relu(__m512 x) {
    return _mm512_max_ps(x, _mm512_setzero_ps()); /* NaN becomes 0 */
}

/* x (e^2 + 2e) / (e^2 + 2e + 2) with e = exp(x). e is limited to 2^29, where the quotient is 1, so
 * that its square stays finite. */
TARGET static inline __m512 mish(__m512 x) {
    __m512 e = power(x, 1, 29), square = _mm512_mul_ps(e, _mm512_add_ps(e, SET(2)));
    return _mm512_mul_ps(x, quotient(square, _mm512_add_ps(square, SET(2))));
}

TARGET static inline __m512 silu(__m512 x) {
    return quotient(x, _mm512_add_ps(power(x, -1, 126), SET(1)));
}

TARGET static inline __m512 tanh_of(__m512 x) {
    __m512 e = power(_mm512_abs_ps(x), -2, 0),
           y = quotient(_mm512_sub_ps(SET(1), e), _mm512_add_ps(SET(1), e));
    __m512i sign = _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(INT32_MIN));
    return _mm512_castsi512_ps(_mm512_or_si512(_mm512_castps_si512(y), sign));
}

/* Defines a function that computes sixteen channels of all cells, so that their gains and shifts
 * stay in registers. */
#define GROUP(name, activate)                                                                      \
    TARGET static void name(const Int8ActivationCall *call, int c, __mmask16 mask) {               \
        const __m512 gain = _mm512_maskz_loadu_ps(mask, call->gains + c),                          \
                     shift = _mm512_maskz_loadu_ps(mask, call->shifts + c),                        \
                     scale = _mm512_maskz_loadu_ps(mask, call->inverse_scales + c),                \
                     zero_point = _mm512_cvtepi32_ps(                                              \
                         _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, call->zero_points + c))), \
                     max = SET(255), none = _mm512_setzero_ps();                                   \
        const float *x = call->x + c;                                                              \
        uint8_t *y = call->y + c;                                                                  \
        for (int i = 0; i < call->cells; i++, x += call->channels, y += call->channels) {          \
            __m512 value = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, x), gain, shift);           \
            value = _mm512_fmadd_ps(activate(value), scale, zero_point);                           \
            value = _mm512_min_ps(_mm512_max_ps(value, none), max); /* NaN becomes 0 */            \
            _mm512_mask_cvtusepi32_storeu_epi8(y, mask, _mm512_cvtps_epi32(value));                \
        }                                                                                          \
    }
GROUP(group_identity, identity)
GROUP(group_relu, relu)
GROUP(group_mish, mish)
GROUP(group_silu, silu)
GROUP(group_tanh, tanh_of)

void int8_activation(const Int8ActivationCall *call) {
    static void (*const GROUPS[])(const Int8ActivationCall *call, int c, __mmask16 mask) = {
        [ACTIVATION_IDENTITY] = group_identity, [ACTIVATION_RELU] = group_relu,
        [ACTIVATION_MISH] = group_mish,         [ACTIVATION_SILU] = group_silu,
        [ACTIVATION_TANH] = group_tanh,
    };
    assert((size_t)call->activation < sizeof GROUPS / sizeof *GROUPS);
    for (int c = 0; c < call->channels; c += LANES)
        GROUPS[call->activation](call, c, avx512_lanes(call->channels - c));
}
#else
void int8_activation(const Int8ActivationCall *call) {
    (void)call;
}
#endif
