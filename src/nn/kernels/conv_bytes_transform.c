#include "nn/kernels/conv_bytes_transform.h"

#include <math.h>

/* Sums of both directions reach 4 * 255, of one 2 * 255 both ways: bytes hold half of that (a
 * little more for one). */
int tiles_rate(int place) {
    int sums = (place / 4 == 1) + (place % 4 == 1);
    float range = sums == 2 ? 510.0f : sums == 1 ? 306.0f : 255.0f;
    return (int)nearbyintf(32768.0f * 127.0f / range);
}

static int16_t line(int k, const int16_t *d, int stride) {
    return (int16_t)(k == 0   ? d[0] - d[2 * stride]
                     : k == 1 ? d[stride] + d[2 * stride]
                     : k == 2 ? d[2 * stride] - d[stride]
                              : d[stride] - d[3 * stride]);
}

static void input_plain(const TilesBoard *tiles, const uint8_t *from, size_t row, uint8_t *v) {
    size_t plane = (size_t)TILES_BLOCK * (size_t)tiles->in;
    for (int c = 0; c < tiles->in; c++) {
        int16_t d[16], t[16];
        for (int k = 0; k < 16; k++)
            d[k] = from[(size_t)(k / 4) * row + (size_t)(k % 4) * (size_t)tiles->in + (size_t)c];
        for (int k = 0; k < 16; k++)
            t[k] = line(k / 4, d + k % 4, 4);
        for (int k = 0; k < 16; k++) {
            int sum = line(k % 4, t + k / 4 * 4, 1) - (k == 5 ? tiles->zeros[c] : 0);
            int q = (sum * tiles_rate(k) + (1 << 14)) >> 15;
            q = q < -128 ? -128 : q > 127 ? 127 : q;
            v[(size_t)k * plane + (size_t)c] = (uint8_t)(q + TILES_ZERO);
        }
    }
}

static void store_plain(const TilesBoard *tiles, float value, int o, size_t cell,
                        const ConvBytesCall *call) {
    size_t at = cell * (size_t)tiles->out + (size_t)o;
    value += tiles->bias[o];
    if (call->residual) value += call->residual[at];
    if (call->relu && !(value > 0.0f)) value = 0.0f;
    if (call->y) {
        call->y[at] = value;
        return;
    }
    float q = nearbyintf(fmaf(value, call->rates[o], (float)call->zeros[o]));
    call->bytes[at] = (uint8_t)(q > 0.0f ? fminf(q, 255.0f) : 0.0f); /* 0 if it is no number */
}

static void output_plain(const TilesBoard *tiles, const float *m, int y, int x,
                         const ConvBytesCall *call) {
    size_t plane = (size_t)TILES_BLOCK * (size_t)tiles->padded;
    for (int o = 0; o < tiles->out; o++) {
        float t[8];
        for (int k = 0; k < 4; k++) {
            const float *from = m + (size_t)k * plane + (size_t)o;
            float m1 = from[4 * plane], m2 = from[8 * plane];
            t[k] = from[0] + (m1 + m2);
            t[4 + k] = (m1 - m2) - from[12 * plane];
        }
        for (int k = 0; k < 4; k++) {
            const float *l = t + k / 2 * 4;
            if (y + k / 2 >= tiles->height || x + k % 2 >= tiles->width) continue;
            size_t cell = (size_t)((y + k / 2) * tiles->width + x + k % 2);
            store_plain(tiles, k % 2 ? (l[1] - l[2]) - l[3] : l[0] + (l[1] + l[2]), o, cell, call);
        }
    }
}

#if defined(__x86_64__)
#include "nn/kernels/avx512.h"

#define TARGET AVX512_TARGET("")

typedef short Shorts __attribute__((vector_size(64)));

TARGET static inline void lines(const Shorts *d, int stride, Shorts *to, int to_stride) {
    Shorts d1 = d[stride], d2 = d[2 * stride];
    to[0] = d[0] - d2;
    to[to_stride] = d1 + d2;
    to[2 * to_stride] = d2 - d1;
    to[3 * to_stride] = d1 - d[3 * stride];
}

TARGET static void input_fast(const TilesBoard *tiles, const uint8_t *from, size_t row,
                              uint8_t *v) {
    size_t plane = (size_t)TILES_BLOCK * (size_t)tiles->in, in = (size_t)tiles->in;
    for (int c = 0; c < tiles->in; c += TILES_LANES) {
        Shorts d[16], t[16];
        _Pragma("GCC unroll 16") for (int k = 0; k < 16; k++) {
            const uint8_t *cell = from + (size_t)(k / 4) * row + (size_t)(k % 4) * in + c;
            d[k] = (Shorts)_mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)cell));
        }
        _Pragma("GCC unroll 4") for (int k = 0; k < 4; k++) lines(d + k, 4, t + k, 4);
        _Pragma("GCC unroll 4") for (int k = 0; k < 4; k++) lines(t + 4 * k, 1, d + 4 * k, 1);
        d[5] -= (Shorts)_mm512_loadu_si512(tiles->zeros + c);
        _Pragma("GCC unroll 16") for (int k = 0; k < 16; k++) {
            __m512i q = _mm512_mulhrs_epi16((__m512i)d[k], _mm512_set1_epi16((short)tiles_rate(k)));
            __m256i bytes = _mm256_xor_si256(_mm512_cvtsepi16_epi8(q), _mm256_set1_epi8(-128));
            _mm256_storeu_si256((__m256i *)(v + (size_t)k * plane + c), bytes);
        }
    }
}

TARGET static inline void store_fast(const TilesBoard *tiles, __m512 value, int o, size_t cell,
                                     const ConvBytesCall *call) {
    __mmask16 mask = avx512_lanes(tiles->out - o);
    size_t at = cell * (size_t)tiles->out + (size_t)o;
    value = _mm512_add_ps(value, _mm512_loadu_ps(tiles->bias + o));
    if (call->residual)
        value = _mm512_add_ps(value, _mm512_maskz_loadu_ps(mask, call->residual + at));
    if (call->relu) value = _mm512_max_ps(value, _mm512_setzero_ps());
    if (call->y) {
        _mm512_mask_storeu_ps(call->y + at, mask, value);
        return;
    }
    __m512 zero =
        _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, call->zeros + o)));
    __m512 rate = _mm512_maskz_loadu_ps(mask, call->rates + o);
    __m512 q = _mm512_max_ps(_mm512_fmadd_ps(value, rate, zero), _mm512_setzero_ps());
    q = _mm512_min_ps(q, _mm512_set1_ps(255.0f));
    _mm512_mask_cvtusepi32_storeu_epi8(call->bytes + at, mask, _mm512_cvtps_epi32(q));
}

TARGET static void output_fast(const TilesBoard *tiles, const float *m, int y, int x,
                               const ConvBytesCall *call) {
    size_t plane = (size_t)TILES_BLOCK * (size_t)tiles->padded, width = (size_t)tiles->width;
    size_t cell = (size_t)y * width + (size_t)x;
    bool below = y + 1 < tiles->height, right = x + 1 < tiles->width;
    for (int o = 0; o < tiles->out; o += 16) {
        __m512 t[4], l[4];
        _Pragma("GCC unroll 4") for (int k = 0; k < 4; k++) {
            const float *from = m + (size_t)k * plane + o;
            __m512 m1 = _mm512_loadu_ps(from + 4 * plane), m2 = _mm512_loadu_ps(from + 8 * plane);
            t[k] = _mm512_add_ps(_mm512_loadu_ps(from), _mm512_add_ps(m1, m2));
            l[k] = _mm512_sub_ps(_mm512_sub_ps(m1, m2), _mm512_loadu_ps(from + 12 * plane));
        }
        store_fast(tiles, _mm512_add_ps(t[0], _mm512_add_ps(t[1], t[2])), o, cell, call);
        if (right)
            store_fast(tiles, _mm512_sub_ps(_mm512_sub_ps(t[1], t[2]), t[3]), o, cell + 1, call);
        if (below)
            store_fast(tiles, _mm512_add_ps(l[0], _mm512_add_ps(l[1], l[2])), o, cell + width,
                       call);
        if (below && right)
            store_fast(tiles, _mm512_sub_ps(_mm512_sub_ps(l[1], l[2]), l[3]), o, cell + width + 1,
                       call);
    }
}
#else
#define input_fast input_plain
#define output_fast output_plain
#endif

void tiles_input(const TilesBoard *tiles, const uint8_t *board, size_t stride, int first, int count,
                 uint8_t *v) {
    size_t in = (size_t)tiles->in, row = stride * in;
    for (int t = first; t < first + count; t++, v += in) {
        const uint8_t *from =
            board + (size_t)(t / tiles->across * 2) * row + (size_t)(t % tiles->across * 2) * in;
        (tiles->fast ? input_fast : input_plain)(tiles, from, row, v);
    }
}

void tiles_output(const TilesBoard *tiles, const float *m, int first, int count,
                  const ConvBytesCall *call) {
    for (int t = first; t < first + count; t++, m += tiles->padded) {
        int y = t / tiles->across * 2, x = t % tiles->across * 2;
        (tiles->fast ? output_fast : output_plain)(tiles, m, y, x, call);
    }
}
