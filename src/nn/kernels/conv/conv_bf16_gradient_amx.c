#include "nn/kernels/conv/conv_bf16_gradient_amx.h"

#include "nn/kernels/conv/conv_amx_tiles.h"

/* For each tap and each block of 16 output channels by 16 input channels, a tile keeps the sums
 * over all cells:
 *     gradient (out, in) = sum over pairs of cells of dy (out, pair) * x (pair, in)
 * A tile of dy has 16 output channels by 16 pairs of cells, and a tile of x has 16 pairs of cells
 * by 16 input channels. Two tiles of dy and two tiles of x are multiplied at a time. */

#if defined(__x86_64__)
#include "nn/kernels/avx512.h"

#define TARGET AVX512_TARGET(",avx512bf16")

enum { LANES = GRADIENT_LANES };

TARGET static inline __m512i to_bf16(__mmask16 mask, const float *values) {
    return avx512_to_bf16(_mm512_maskz_loadu_ps(mask, values));
}

/* Returns the gradients of two neighbouring cells for 16 output channels, from channel `out` on. */
TARGET static inline __m512i load_pair(const GradientShape *shape, const float *dy, int pair,
                                       int out) {
    int row_pairs = shape->bordered_width / 2, row = pair / row_pairs,
        column = 2 * (pair % row_pairs), channels = shape->out_channels;
    __mmask16 mask = avx512_lanes(channels - out);
    if (row >= shape->height || column >= shape->width) return _mm512_setzero_si512();
    const float *from = dy + (size_t)(row * shape->width + column) * (size_t)channels + out;
    __m512i first = to_bf16(mask, from);
    if (column + 1 >= shape->width) return first;
    return _mm512_or_si512(first, _mm512_slli_epi32(to_bf16(mask, from + channels), 16));
}

TARGET void gradient_pack_dy_amx(const GradientShape *shape, const float *dy, uint32_t *dy2) {
    for (int out = 0; out < (int)shape->outs; out += LANES) {
        for (int pair = 0; pair < shape->board_pairs; pair += LANES) {
            __m512i block[LANES];
            _Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++) block[i] =
                load_pair(shape, dy, pair + i, out);
            avx512_transpose(block);
            _Pragma("GCC unroll 16") for (int i = 0; i < LANES; i++) _mm512_storeu_si512(
                dy2 + (size_t)(out + i) * (size_t)shape->board_pairs + pair, block[i]);
        }
    }
}

/* The inputs of one call that sums one, two or four blocks of the gradient. */
typedef struct {
    const GradientShape *shape;
    int boards;
    const uint32_t *x, *dy; /* of the first board; where the first tiles read */
} Sums;

/* Defines a function that sums `high` blocks of output channels by `wide` blocks of input channels.
 * Block (i, j) of 16 by 16 sums is stored as number 2 * i + j. */
#define SUM(name, high, wide)                                                                      \
    AMX_TARGET static void name(const Sums *sums, float *to) {                                     \
        const GradientShape *shape = sums->shape;                                                  \
        size_t dy_row = (size_t)shape->board_pairs, x_row = 2 * shape->ins;                        \
        AMX_FINISH_WRITES(to);                                                                     \
        _tile_zero(0);                                                                             \
        if ((wide) > 1) _tile_zero(1);                                                             \
        if ((high) > 1) _tile_zero(2);                                                             \
        if ((high) > 1 && (wide) > 1) _tile_zero(3);                                               \
        for (int b = 0; b < sums->boards; b++) {                                                   \
            const uint32_t *dy = sums->dy + (size_t)b * shape->dy_elements,                        \
                           *x = sums->x + (size_t)b * shape->x_elements;                           \
            for (int pair = 0; pair < shape->board_pairs; pair += LANES) {                         \
                _tile_loadd(4, dy, dy_row * sizeof *dy);                                           \
                _tile_loadd(6, x, x_row * sizeof *x);                                              \
                _tile_dpbf16ps(0, 4, 6);                                                           \
                if ((wide) > 1) {                                                                  \
                    _tile_loadd(7, x + LANES, x_row * sizeof *x);                                  \
                    _tile_dpbf16ps(1, 4, 7);                                                       \
                }                                                                                  \
                if ((high) > 1) {                                                                  \
                    _tile_loadd(5, dy + LANES * dy_row, dy_row * sizeof *dy);                      \
                    _tile_dpbf16ps(2, 5, 6);                                                       \
                    if ((wide) > 1) _tile_dpbf16ps(3, 5, 7);                                       \
                }                                                                                  \
                dy += LANES;                                                                       \
                x += LANES * x_row;                                                                \
            }                                                                                      \
        }                                                                                          \
        _tile_stored(0, to, LANES * sizeof *to);                                                   \
        if ((wide) > 1) _tile_stored(1, to + LANES * LANES, LANES * sizeof *to);                   \
        if ((high) > 1) _tile_stored(2, to + 2 * LANES * LANES, LANES * sizeof *to);               \
        if ((high) > 1 && (wide) > 1) _tile_stored(3, to + 3 * LANES * LANES, LANES * sizeof *to); \
    }

SUM(sum_11, 1, 1)
SUM(sum_12, 1, 2)
SUM(sum_21, 2, 1)
SUM(sum_22, 2, 2)

/* Adds a block of sums to the gradient (out, tap, in). */
TARGET static void add_block(const GradientShape *shape, const float *sums, int tap, int out,
                             int in, float *gradient) {
    size_t taps = (size_t)(shape->kernel * shape->kernel), ins = (size_t)shape->in_channels;
    __mmask16 mask = avx512_lanes(shape->in_channels - in);
    for (int o = 0; o < LANES && out + o < shape->out_channels; o++) {
        float *to = gradient + ((size_t)(out + o) * taps + (size_t)tap) * ins + in;
        __m512 total = _mm512_add_ps(_mm512_maskz_loadu_ps(mask, to),
                                     _mm512_loadu_ps(sums + (size_t)o * LANES));
        _mm512_mask_storeu_ps(to, mask, total);
    }
}

void gradient_run_amx(const GradientShape *shape, int boards, const uint32_t *x2,
                      const uint32_t *dy2, float *gradient) {
    static void (*const BY_COUNT[2][2])(const Sums *sums, float *to) = {{sum_11, sum_12},
                                                                        {sum_21, sum_22}};
    float blocks[2][2][LANES * LANES];
    amx_set_tiles(&(AmxTiles){.rows = {LANES, LANES}, .depth = LANES});
    for (int tap = 0; tap < shape->kernel * shape->kernel; tap++) {
        const uint32_t *x =
            x2 + (size_t)(tap / shape->kernel * shape->bordered_width + tap % shape->kernel) *
                     shape->ins;
        for (int in = 0; in < (int)shape->ins; in += 2 * LANES) {
            int ins = in + LANES < (int)shape->ins ? 2 : 1;
            for (int out = 0; out < (int)shape->outs; out += 2 * LANES) {
                int outs = out + LANES < (int)shape->outs ? 2 : 1;
                const uint32_t *dy = dy2 + (size_t)out * (size_t)shape->board_pairs;
                BY_COUNT[outs - 1][ins - 1](&(Sums){shape, boards, x + in, dy}, blocks[0][0]);
                for (int i = 0; i < 2 * outs; i++) {
                    if (i % 2 < ins)
                        add_block(shape, blocks[i / 2][i % 2], tap, out + i / 2 * LANES,
                                  in + i % 2 * LANES, gradient);
                }
            }
        }
    }
    amx_end();
}
#else
void gradient_pack_dy_amx(const GradientShape *shape, const float *dy, uint32_t *dy2) {
    (void)shape, (void)dy, (void)dy2; /* shape->amx is false */
}

void gradient_run_amx(const GradientShape *shape, int boards, const uint32_t *x2,
                      const uint32_t *dy2, float *gradient) {
    (void)shape, (void)boards, (void)x2, (void)dy2, (void)gradient;
}
#endif
