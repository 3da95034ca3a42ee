#include "nn/kernels/conv/conv_int8_transform.h"

#include <math.h>

/* A difference of two inputs lies between -255 and 255; int8 represents -225 to 225 and clips the
 * rest. A sum of two inputs has a range of 510, of which int8 represents 408. These ranges are a
 * compromise between clipping and rounding. With them the mean policy error of KataGo's net g170
 * b6c96 (docs/NETWORKS.md, "How accurate") is 0.021. With the full ranges, which clip nothing, the
 * error is 0.032. With 0.6 of the full ranges, the error is 0.042. */
int int8_transform_scale(int place) {
    return (int)nearbyintf(32768.0f * (place == 1 ? 255.0f / 408.0f : 127.0f / 225.0f));
}

static int clamped(int value, int min, int max) {
    return value < min ? min : value > max ? max : value;
}

static void input_plain(const Int8Transform *transform, const uint8_t *from, size_t plane,
                        uint8_t *v) {
    size_t in = (size_t)transform->in;
    for (size_t c = 0; c < in; c++) {
        int d[4];
        for (size_t k = 0; k < 4; k++)
            d[k] = from[k * in + c];
        const int zero_point = transform->zero_points[c],
                  lines[INT8_PLACES] = {d[0] - d[2], d[1] + d[2] - 2 * zero_point, d[2] - d[1],
                                        d[1] - d[3]};
        for (int k = 0; k < INT8_PLACES; k++) {
            int q = (lines[k] * int8_transform_scale(k) + (1 << 14)) >> 15;
            v[(size_t)k * plane + c] =
                (uint8_t)clamped(q + (k == 1 ? zero_point : INT8_TRANSFORM_ZERO), 0, 255);
        }
    }
}

static void store_plain(const Int8Transform *transform, float value, int o, size_t cell,
                        const ConvInt8Call *call) {
    size_t at = cell * (size_t)transform->out + (size_t)o;
    value += transform->bias[o];
    if (call->residual) value += call->residual[at];
    if (call->relu && !(value > 0.0f)) value = 0.0f;
    if (call->y) {
        call->y[at] = value;
        return;
    }
    float q = nearbyintf(fmaf(value, call->inverse_scales[o], (float)call->zero_points[o]));
    call->y_int8[at] = (uint8_t)(q > 0.0f ? fminf(q, 255.0f) : 0.0f); /* NaN becomes 0 */
}

static void output_plain(const Int8Transform *transform, const float *m, int y, int x,
                         const ConvInt8Call *call) {
    size_t plane = (size_t)INT8_TILE_BLOCK * (size_t)transform->padded,
           cell = (size_t)(y * transform->width + x);
    for (int o = 0; o < transform->out; o++, m++) {
        float m1 = m[plane], m2 = m[2 * plane];
        store_plain(transform, m[0] + (m1 + m2), o, cell, call);
        if (x + 1 < transform->width)
            store_plain(transform, (m1 - m2) - m[3 * plane], o, cell + 1, call);
    }
}

#if defined(__x86_64__)
#include "nn/kernels/avx512.h"

#define TARGET AVX512_TARGET("")

typedef short Shorts __attribute__((vector_size(64)));

/* Rounds differences of inputs to int8 with the zero point INT8_TRANSFORM_ZERO. */
TARGET static inline void store_line(Shorts line, int place, uint8_t *to) {
    __m512i q =
        _mm512_mulhrs_epi16((__m512i)line, _mm512_set1_epi16((short)int8_transform_scale(place)));
    __m256i y_int8 = _mm256_xor_si256(_mm512_cvtsepi16_epi8(q), _mm256_set1_epi8(-128));
    _mm256_storeu_si256((__m256i *)to, y_int8);
}

/* Rounds sums of inputs to int8 with the zero points of the inputs. */
TARGET static inline void store_sum(Shorts sum, Shorts zero_points, uint8_t *to) {
    __m512i q = _mm512_mulhrs_epi16((__m512i)(sum - zero_points - zero_points),
                                    _mm512_set1_epi16((short)int8_transform_scale(1)));
    q = _mm512_max_epi16(_mm512_add_epi16(q, (__m512i)zero_points), _mm512_setzero_si512());
    _mm256_storeu_si256((__m256i *)to, _mm512_cvtusepi16_epi8(q));
}

TARGET static void input_fast(const Int8Transform *transform, const uint8_t *from, size_t plane,
                              uint8_t *v) {
    size_t in = (size_t)transform->in;
    for (size_t c = 0; c < in; c += INT8_INPUT_LANES, v += INT8_INPUT_LANES) {
        Shorts d[4];
        _Pragma("GCC unroll 4") for (size_t k = 0; k < 4; k++) d[k] =
            (Shorts)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(from + k * in + c)));
        store_line(d[0] - d[2], 0, v);
        store_sum(d[1] + d[2], (Shorts)_mm512_loadu_si512(transform->zero_points + c), v + plane);
        store_line(d[2] - d[1], 2, v + 2 * plane);
        store_line(d[1] - d[3], 3, v + 3 * plane);
    }
}

TARGET static inline void store_fast(const Int8Transform *transform, __m512 value, int o,
                                     size_t cell, const ConvInt8Call *call) {
    __mmask16 mask = avx512_lanes(transform->out - o);
    size_t at = cell * (size_t)transform->out + (size_t)o;
    value = _mm512_add_ps(value, _mm512_loadu_ps(transform->bias + o));
    if (call->residual)
        value = _mm512_add_ps(value, _mm512_maskz_loadu_ps(mask, call->residual + at));
    if (call->relu) value = _mm512_max_ps(value, _mm512_setzero_ps());
    if (call->y) {
        _mm512_mask_storeu_ps(call->y + at, mask, value);
        return;
    }
    __m512 zero_point =
        _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, call->zero_points + o)));
    __m512 inverse_scale = _mm512_maskz_loadu_ps(mask, call->inverse_scales + o);
    __m512 q =
        _mm512_max_ps(_mm512_fmadd_ps(value, inverse_scale, zero_point), _mm512_setzero_ps());
    q = _mm512_min_ps(q, _mm512_set1_ps(255.0f));
    _mm512_mask_cvtusepi32_storeu_epi8(call->y_int8 + at, mask, _mm512_cvtps_epi32(q));
}

TARGET static void output_fast(const Int8Transform *transform, const float *m, int y, int x,
                               const ConvInt8Call *call) {
    size_t plane = (size_t)INT8_TILE_BLOCK * (size_t)transform->padded,
           cell = (size_t)(y * transform->width + x);
    for (int o = 0; o < transform->out; o += 16, m += 16) {
        __m512 m1 = _mm512_loadu_ps(m + plane), m2 = _mm512_loadu_ps(m + 2 * plane);
        store_fast(transform, _mm512_add_ps(_mm512_loadu_ps(m), _mm512_add_ps(m1, m2)), o, cell,
                   call);
        if (x + 1 < transform->width)
            store_fast(transform,
                       _mm512_sub_ps(_mm512_sub_ps(m1, m2), _mm512_loadu_ps(m + 3 * plane)), o,
                       cell + 1, call);
    }
}
#else
#define input_fast input_plain
#define output_fast output_plain
#endif

void int8_transform_input(const Int8Transform *transform, const uint8_t *board, size_t stride,
                          uint8_t *v) {
    size_t in = (size_t)transform->in, across = (size_t)transform->across,
           rows = (size_t)transform->height + 2;
    for (size_t r = 0; r < rows; r++) {
        for (size_t t = 0; t < across; t++, v += in)
            (transform->fast ? input_fast : input_plain)(
                transform, board + (r * stride + 2 * t) * in, rows * across * in, v);
    }
}

void int8_transform_output(const Int8Transform *transform, const float *m, int first, int count,
                           const ConvInt8Call *call) {
    for (int t = first; t < first + count; t++, m += transform->padded)
        (transform->fast ? output_fast : output_plain)(transform, m, t / transform->across,
                                                       t % transform->across * 2, call);
}
