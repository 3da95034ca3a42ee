#include "nn/infer_winograd.h"

#include <stdint.h>
#include <string.h>

#include "nn/infer_kernels.h"

enum { LANES = 16 };

#define KERNEL(name) generic_##name
#define KERNEL_TARGET
#include "nn/infer_winograd_body.h"
#undef KERNEL
#undef KERNEL_TARGET

#if defined(__x86_64__)
#define KERNEL(name) avx2_##name
#define KERNEL_TARGET __attribute__((target("avx2,fma")))
#include "nn/infer_winograd_body.h"
#undef KERNEL
#undef KERNEL_TARGET

#define KERNEL(name) avx512_##name
#if defined(__clang__)
#define KERNEL_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma")))
#else
#define KERNEL_TARGET                                                                              \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,prefer-vector-width=512")))
#endif
#include "nn/infer_winograd_body.h"
#undef KERNEL
#undef KERNEL_TARGET
#endif

typedef struct {
    const char *name;
    void (*input3)(const WinogradCall *call);
    void (*input4)(const WinogradCall *call);
    void (*output3)(const WinogradCall *call);
    void (*output4)(const WinogradCall *call);
} Transforms;

static const Transforms TRANSFORMS[] = {
#if defined(__x86_64__)
    {"avx512", avx512_input3, avx512_input4, avx512_output3, avx512_output4},
    {"avx2", avx2_input3, avx2_input4, avx2_output3, avx2_output4},
#endif
    {"generic", generic_input3, generic_input4, generic_output3, generic_output4}};

static const Transforms *transforms(void) {
    const char *name = infer_kernels_select()->name;
    const Transforms *table = TRANSFORMS;
    while (strcmp(table->name, name) != 0 && strcmp(table->name, "generic") != 0)
        table++;
    return table;
}

int winograd_tiles(int tile, int height, int width) {
    return ((height + tile - 1) / tile) * ((width + tile - 1) / tile);
}

int winograd_tile(int height, int width) {
    return 25 * winograd_tiles(3, height, width) < 36 * winograd_tiles(4, height, width) ? 3 : 4;
}

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

static double transformed(const double (*g)[3], int i, int j, int in, const float *weights) {
    double sum = 0.0;
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++)
            sum += g[i][a] * g[j][b] * (double)weights[(size_t)(3 * a + b) * (size_t)in];
    }
    return sum;
}

void winograd_weights(int tile, int in, int out, const float *weights, float *to) {
    const double(*g)[3] = tile == 4 ? G4 : G3;
    int side = tile + 2;
    for (int k = 0; k < side * side; k++) {
        for (int i = 0; i < in; i++) {
            for (int o = 0; o < out; o++) {
                const float *from = weights + (size_t)o * 9 * (size_t)in + i;
                *to++ = (float)transformed(g, k / side, k % side, in, from);
            }
        }
    }
}

void winograd_input(int tile, const WinogradCall *call) {
    (tile == 4 ? transforms()->input4 : transforms()->input3)(call);
}

void winograd_output(int tile, const WinogradCall *call) {
    (tile == 4 ? transforms()->output4 : transforms()->output3)(call);
}
