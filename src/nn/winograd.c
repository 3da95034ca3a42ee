#include "nn/winograd.h"

#include <stdint.h>
#include <string.h>

#include "nn/infer_kernels.h"

enum { LANES = 16, SIDE_MOST = 7, TILES = 3 /* sizes */ };

typedef float Lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

static const float NONE[LANES]; /* a cell off the board */

#define KERNEL(name) generic_##name
#define KERNEL_TARGET
#include "nn/winograd_body.h"
#undef KERNEL
#undef KERNEL_TARGET

#if defined(__x86_64__)
#define KERNEL(name) avx2_##name
#define KERNEL_TARGET __attribute__((target("avx2,fma")))
#include "nn/winograd_body.h"
#undef KERNEL
#undef KERNEL_TARGET

#define KERNEL(name) avx512_##name
#if defined(__clang__)
#define KERNEL_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma")))
#else
#define KERNEL_TARGET                                                                              \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,prefer-vector-width=512")))
#endif
#include "nn/winograd_body.h"
#undef KERNEL
#undef KERNEL_TARGET
#endif

typedef void Transform(const WinogradCall *call);

typedef struct {
    const char *name;
    Transform *input[TILES], *spread[TILES], *output[TILES]; /* by tile - 3 */
} Transforms;

#define TRANSFORMS_OF(set)                                                                         \
    {                                                                                              \
        .name = #set, .input = {set##_input3, set##_input4, set##_input5},                         \
        .spread = {set##_spread3, set##_spread4, set##_spread5}, .output = {                       \
            set##_output3,                                                                         \
            set##_output4,                                                                         \
            set##_output5                                                                          \
        }                                                                                          \
    }
static const Transforms TRANSFORMS[] = {
#if defined(__x86_64__)
    TRANSFORMS_OF(avx512), TRANSFORMS_OF(avx2),
#endif
    TRANSFORMS_OF(generic)};

static const Transforms *transforms(void) {
    const char *name = infer_kernels_select()->name;
    const Transforms *table = TRANSFORMS;
    while (strcmp(table->name, name) != 0 && strcmp(table->name, "generic") != 0)
        table++;
    return table;
}

int winograd_padded(int channels) {
    return (channels + LANES - 1) / LANES * LANES;
}

int winograd_tiles(int tile, int height, int width) {
    return ((height + tile - 1) / tile) * ((width + tile - 1) / tile);
}

static int products(int tile, int height, int width) {
    return (tile + 2) * (tile + 2) * winograd_tiles(tile, height, width);
}

int winograd_tile(int height, int width) {
    int best = 3;
    for (int tile = 4; tile < 3 + TILES; tile++) {
        if (products(tile, height, width) <= products(best, height, width)) best = tile;
    }
    return best;
}

static const double G5[7][3] = {{-0.5, 0.0, 0.0},
                                {-1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0},
                                {1.0 / 9.0, -1.0 / 9.0, 1.0 / 9.0},
                                {1.0 / 36.0, 1.0 / 18.0, 1.0 / 9.0},
                                {-1.0 / 60.0, 1.0 / 30.0, -1.0 / 15.0},
                                {32.0 / 45.0, 16.0 / 45.0, 8.0 / 45.0},
                                {0.0, 0.0, 1.0}};
static const double G4[6][3] = {{0.25, 0.0, 0.0},
                                {-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0},
                                {-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0},
                                {1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0},
                                {1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0},
                                {0.0, 0.0, 1.0}};
static const double G3[5][3] = {{0.5, 0.0, 0.0},
                                {-0.5, -0.5, -0.5},
                                {-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0},
                                {1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0},
                                {0.0, 0.0, 1.0}};

const double (*winograd_filter(int tile))[3] {
    return tile == 5 ? G5 : tile == 4 ? G4 : G3;
}

static double transformed(const double (*g)[3], int i, int j, int in, const float *weights) {
    double sum = 0.0;
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++)
            sum += g[i][a] * g[j][b] * (double)weights[(size_t)(3 * a + b) * (size_t)in];
    }
    return sum;
}

void winograd_weights(int tile, int in, int out, const float *weights, float *to) {
    const double(*g)[3] = winograd_filter(tile);
    int side = tile + 2, ins = winograd_padded(in), outs = winograd_padded(out);
    for (int k = 0; k < side * side; k++) {
        for (int i = 0; i < ins; i++) {
            for (int o = 0; o < outs; o++) {
                const float *from = weights + (size_t)o * 9 * (size_t)in + i;
                bool there = i < in && o < out;
                *to++ = there ? (float)transformed(g, k / side, k % side, in, from) : 0;
            }
        }
    }
}

void winograd_input(int tile, const WinogradCall *call) {
    transforms()->input[tile - 3](call);
}

void winograd_spread(int tile, const WinogradCall *call) {
    transforms()->spread[tile - 3](call);
}

void winograd_output(int tile, const WinogradCall *call) {
    transforms()->output[tile - 3](call);
}
