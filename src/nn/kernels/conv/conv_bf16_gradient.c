#include "nn/kernels/conv/conv_bf16_gradient.h"

#include <string.h>

#include "nn/backends/backend.h"

GradientShape gradient_shape(int height, int width, int in, int out, int kernel) {
    GradientShape shape = {.height = height,
                           .width = width,
                           .in_channels = in,
                           .out_channels = out,
                           .kernel = kernel,
                           .amx = backend_isa() >= ISA_AMX,
                           .bordered_width = (width + kernel / 2 + 1) / 2 * 2,
                           .pairs = (width + 1) / 2};
    int outs = shape.amx ? GRADIENT_LANES : GRADIENT_OUTS;
    shape.board_pairs =
        (height * shape.bordered_width / 2 + GRADIENT_LANES - 1) / GRADIENT_LANES * GRADIENT_LANES;
    shape.ins = (size_t)((in + GRADIENT_LANES - 1) / GRADIENT_LANES * GRADIENT_LANES);
    shape.outs = (size_t)((out + outs - 1) / outs * outs);
    shape.x_elements = (size_t)((height + kernel - 1) * shape.bordered_width) * shape.ins;
    shape.dy_elements = (size_t)(shape.amx ? shape.board_pairs : height * shape.pairs) * shape.outs;
    return shape;
}

/* The right border of the last row follows the board. AMX multiplies whole tiles. Therefore a board
 * of dy2 ends with zeros that fill its last tile, and they are multiplied by the elements that
 * follow the board in x2. */
size_t gradient_x_more(const GradientShape *shape) {
    int cells = shape->amx ? 2 * GRADIENT_LANES + shape->kernel : shape->kernel / 2;
    return (size_t)cells * shape->ins;
}

#if defined(__x86_64__)
#include "nn/kernels/avx512.h"

#define TARGET AVX512_TARGET(",avx512bf16")

static __mmask16 lanes(size_t at, int channels) {
    return avx512_lanes(channels - (int)at);
}

TARGET static inline __m512i to_bf16(__mmask16 mask, const float *values) {
    return avx512_to_bf16(_mm512_maskz_loadu_ps(mask, values));
}

TARGET void gradient_pack_x(const GradientShape *shape, const float *x, uint32_t *x2) {
    size_t edge = (size_t)(shape->kernel / 2), channels = (size_t)shape->in_channels;
    for (int r = 0; r < shape->height; r++) {
        uint32_t *row =
            x2 + (((size_t)r + edge) * (size_t)shape->bordered_width + edge) * shape->ins;
        for (size_t i = 0; i < shape->ins; i += GRADIENT_LANES) {
            __mmask16 mask = lanes(i, shape->in_channels);
            const float *from = x + i;
            uint32_t *to = row + i;
            __m512i now = to_bf16(mask, from);
            if (edge) _mm512_storeu_si512(to - shape->ins, _mm512_slli_epi32(now, 16));
            for (int c = 0; c + 1 < shape->width; c++, to += shape->ins) {
                from += channels;
                __m512i next = to_bf16(mask, from);
                _mm512_storeu_si512(to, _mm512_or_si512(now, _mm512_slli_epi32(next, 16)));
                now = next;
            }
            _mm512_storeu_si512(to, now);
        }
        x += (size_t)shape->width * channels;
    }
}

TARGET void gradient_pack_dy(const GradientShape *shape, const float *dy, uint32_t *dy2) {
    size_t channels = (size_t)shape->out_channels;
    for (int r = 0; r < shape->height; r++) {
        for (int c = 0; c < shape->width; c += 2, dy2 += shape->outs) {
            const float *from = dy + (size_t)c * channels;
            for (size_t o = 0; o < shape->outs; o += GRADIENT_LANES) {
                __mmask16 mask = lanes(o, shape->out_channels), kept = lanes(o, (int)shape->outs);
                __m512i first = to_bf16(mask, from + o);
                __m512i second = c + 1 < shape->width ? to_bf16(mask, from + channels + o)
                                                      : _mm512_setzero_si512();
                _mm512_mask_storeu_epi32(dy2 + o, kept,
                                         _mm512_or_si512(first, _mm512_slli_epi32(second, 16)));
            }
        }
        dy += (size_t)shape->width * channels;
    }
}

/* The first element of a block of the gradient. */
typedef struct {
    int ky, kx;     /* tap */
    size_t in, out; /* first input and output channel */
} Block;

/* Defines a function that adds one block of the gradient. It keeps the sums of GRADIENT_OUTS output
 * channels by `wide` registers of input channels while it goes through all cells of all boards. */
#define GRADIENT(name, wide)                                                                       \
    TARGET static void name(const GradientShape *shape, int boards, const uint32_t *x2,            \
                            const uint32_t *dy2, Block block, float *gradient) {                   \
        __m512 sum[GRADIENT_OUTS][wide];                                                           \
        size_t row = (size_t)shape->bordered_width * shape->ins, outs = shape->outs,               \
               step = 2 * shape->ins, taps = (size_t)(shape->kernel * shape->kernel);              \
        _Pragma("GCC unroll 8") for (int o = 0; o < GRADIENT_OUTS; o++) {                          \
            _Pragma("GCC unroll 3") for (int j = 0; j < (wide); j++) sum[o][j] =                   \
                _mm512_setzero_ps();                                                               \
        }                                                                                          \
        const uint32_t *slopes = dy2 + block.out;                                                  \
        for (int b = 0; b < boards; b++) {                                                         \
            const uint32_t *board = x2 + (size_t)b * shape->x_elements + (size_t)block.ky * row +  \
                                    (size_t)block.kx * shape->ins + block.in;                      \
            for (int r = 0; r < shape->height; r++, board += row) {                                \
                const uint32_t *cell = board;                                                      \
                for (int c = 0; c < shape->pairs; c++, cell += step, slopes += outs) {             \
                    __m512bh x[wide];                                                              \
                    _Pragma("GCC unroll 3") for (int j = 0; j < (wide); j++) x[j] =                \
                        (__m512bh)_mm512_loadu_si512(cell + GRADIENT_LANES * j);                   \
                    _Pragma("GCC unroll 8") for (int o = 0; o < GRADIENT_OUTS; o++) {              \
                        __m512bh slope = (__m512bh)_mm512_set1_epi32((int)slopes[o]);              \
                        _Pragma("GCC unroll 3") for (int j = 0; j < (wide); j++) sum[o][j] =       \
                            _mm512_dpbf16_ps(sum[o][j], x[j], slope);                              \
                    }                                                                              \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
        size_t tap = (size_t)(block.ky * shape->kernel + block.kx),                                \
               in = (size_t)shape->in_channels;                                                    \
        _Pragma("GCC unroll 8") for (int o = 0; o < GRADIENT_OUTS; o++) {                          \
            if (block.out + (size_t)o >= (size_t)shape->out_channels) break;                       \
            _Pragma("GCC unroll 3") for (int j = 0; j < (wide); j++) {                             \
                size_t at = block.in + (size_t)(GRADIENT_LANES * j);                               \
                float *to = gradient + ((block.out + (size_t)o) * taps + tap) * in + at;           \
                __mmask16 mask = lanes(at, shape->in_channels);                                    \
                _mm512_mask_storeu_ps(to, mask,                                                    \
                                      _mm512_add_ps(_mm512_maskz_loadu_ps(mask, to), sum[o][j]));  \
            }                                                                                      \
        }                                                                                          \
    }

GRADIENT(gradient_1, 1)
GRADIENT(gradient_2, 2)
GRADIENT(gradient_3, 3)

void gradient_run(const GradientShape *shape, int boards, const uint32_t *x2, const uint32_t *dy2,
                  float *gradient) {
    for (int tap = 0; tap < shape->kernel * shape->kernel; tap++) {
        Block block = {.ky = tap / shape->kernel, .kx = tap % shape->kernel};
        while (block.in < shape->ins) {
            size_t left = (shape->ins - block.in) / GRADIENT_LANES, wide = left == 2 || left == 4
                                                                               ? 2
                                                                           : left >= 3 ? 3
                                                                                       : 1;
            for (block.out = 0; block.out < shape->outs; block.out += GRADIENT_OUTS)
                (wide == 3   ? gradient_3
                 : wide == 2 ? gradient_2
                             : gradient_1)(shape, boards, x2, dy2, block, gradient);
            block.in += wide * GRADIENT_LANES;
        }
    }
}
#else
typedef int GradientNothing; /* other processors need nothing here: conv_bf16_can() is false */
#endif
