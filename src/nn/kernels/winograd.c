#include "nn/kernels/winograd.h"

#include <stdint.h>
#include <string.h>

#include "nn/kernels/infer_kernels.h"
#if defined(__x86_64__)
#include "nn/kernels/avx512.h"
#endif

enum { LANES = 16, TAPS_MAX = 25, CUTS = 4, PRODUCTS_MAX = WINOGRAD_SIDE_MAX * WINOGRAD_SIDE_MAX };

typedef float Lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t LaneBits __attribute__((vector_size(4 * LANES)));

static const float NONE[LANES]; /* zeros, for a cell off the board */

/* The sample and the cell at which a tile begins. */
typedef struct {
    int sample, y, x;
} Spot;

static inline Spot spot_of(const WinogradCall *call, int tile) {
    int size = call->cut->tile, within = tile % call->cut->tiles;
    return (Spot){.sample = tile / call->cut->tiles,
                  .y = within / call->cut->across * size,
                  .x = within % call->cut->across * size};
}

/* The index of the first channel of a cell in x or y. */
static inline size_t place_of(const WinogradCall *call, int sample, int y, int x) {
    return ((size_t)(sample * call->height + y) * (size_t)call->width + (size_t)x) *
           (size_t)call->channels;
}

/* The channels of one cell: channel c is at[c & channels]. For a cell off the board, `channels` is
 * 0 and `at` points to zeros, so that all its channels read as 0. */
typedef struct {
    const float *at;
    size_t channels; /* SIZE_MAX on the board, 0 off it */
} Cell;

/* Finds count x count cells. The first one lies `border` rows above and `border` columns left of
 * the cell `at`, where the tile begins. */
static inline void find_cells(const WinogradCall *call, Spot at, int count, int border,
                              Cell *cells) {
    for (int i = 0; i < count * count; i++) {
        int y = at.y - border + i / count, x = at.x - border + i % count;
        bool on = y >= 0 && y < call->height && x >= 0 && x < call->width;
        cells[i] =
            on ? (Cell){call->x + place_of(call, at.sample, y, x), SIZE_MAX} : (Cell){NONE, 0};
    }
}

/* Prefetches one part of the next sample. All parts have the same size, which is rounded down, so
 * the last bytes of the sample may be in no part. */
static inline void fetch_ahead(const WinogradCall *call, Spot at) {
    enum { LINE = 64 };
    int tile = at.y / call->cut->tile * call->cut->across + at.x / call->cut->tile;
    size_t bytes = place_of(call, 1, 0, 0) * sizeof *call->x,
           part = bytes / (size_t)call->cut->tiles;
    uintptr_t from = (uintptr_t)call->x + (size_t)(at.sample + 1) * bytes + (size_t)tile * part;
    for (size_t i = 0; i < part; i += LINE)
        __builtin_prefetch((const void *)(from + i), 0, 2);
}

#define KERNEL(name) generic_##name
#define KERNEL_FMA(a, b, c) ((a) * (b) + (c))
#define KERNEL_TARGET
#include "nn/ops/activations/activation_body.h"

#include "nn/kernels/winograd_body.h"
#undef KERNEL
#undef KERNEL_TARGET

#if defined(__x86_64__)
#define KERNEL(name) avx2_##name
#undef KERNEL_FMA
#define KERNEL_FMA(a, b, c) __builtin_fmaf(a, b, c)
#define KERNEL_TARGET __attribute__((target("avx2,fma")))
#include "nn/ops/activations/activation_body.h"

#include "nn/kernels/winograd_body.h"
#undef KERNEL
#undef KERNEL_TARGET

#define KERNEL(name) avx512_##name
#define KERNEL_TARGET AVX512_TARGET("")
#include "nn/ops/activations/activation_body.h"

#include "nn/kernels/winograd_body.h"
#undef KERNEL
#undef KERNEL_TARGET
#endif

typedef struct {
    const char *name;
    WinogradTransform *input[CUTS], *spread[CUTS], *output[CUTS]; /* indexed by which_cut() */
} Transforms;

#define TRANSFORMS_OF(set)                                                                         \
    {                                                                                              \
        .name = #set, .input = {set##_input3, set##_input4, set##_input5, set##_input3_5},         \
        .spread = {set##_spread3, set##_spread4, set##_spread5, NULL}, .output = {                 \
            set##_output3,                                                                         \
            set##_output4,                                                                         \
            set##_output5,                                                                         \
            set##_output3_5                                                                        \
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

/* The index of a cut: 0, 1 or 2 for a 3 x 3 convolution with tiles of 3 x 3, 4 x 4 or 5 x 5
 * results; 3 for a 5 x 5 convolution. */
static int which_cut(const Winograd *cut) {
    return cut->kernel == 5 ? 3 : cut->tile - 3;
}

int winograd_padded(int channels) {
    return (channels + LANES - 1) / LANES * LANES;
}

static Winograd cut_of(int kernel, int tile, int height, int width) {
    int side = tile + kernel - 1, across = (width + tile - 1) / tile;
    return (Winograd){kernel,      tile,   side,
                      side * side, across, across * ((height + tile - 1) / tile)};
}

Winograd winograd_of(int kernel, int height, int width) {
    Winograd best = cut_of(kernel, 3, height, width);
    for (int tile = 4; kernel == 3 && tile <= 5; tile++) {
        Winograd cut = cut_of(kernel, tile, height, width);
        if (cut.products * cut.tiles <= best.products * best.tiles) best = cut;
    }
    return best;
}

Winograd winograd_for_bf16(int height, int width) {
    Winograd three = cut_of(3, 3, height, width), four = cut_of(3, 4, height, width);
    return four.products * four.tiles <= three.products * three.tiles ? four : three;
}

/* Row k of G holds the powers of point k, times a scale. The last row belongs to the point at
 * infinity. The points are those of winograd_body.h. */
double winograd_filter(const Winograd *cut, int row, int column) {
    static const double POINTS[3][WINOGRAD_SIDE_MAX - 1] = {
        {0, 1, -1, 2}, {0, 1, -1, 0.5, -2}, {0, 1, -1, 2, -2, 0.5}};
    static const double SCALES[3][WINOGRAD_SIDE_MAX - 1] = {
        {0.5, -1.0 / 2, -1.0 / 6, 1.0 / 6},
        {1, 1.0 / 3, -1.0 / 3, -16.0 / 15, 1.0 / 15},
        {-0.5, -1.0 / 3, 1.0 / 9, 1.0 / 36, -1.0 / 60, 32.0 / 45}};
    if (row == cut->side - 1) return column == cut->kernel - 1;
    double power = SCALES[cut->side - 5][row];
    for (int i = 0; i < column; i++)
        power *= POINTS[cut->side - 5][row];
    return power;
}

/* Computes by which factor each weight of a filter enters product number `product`. These factors
 * are the outer product of two rows of G. */
static void filter_factors(const Winograd *cut, int product, double *factors) {
    for (int a = 0; a < cut->kernel; a++) {
        for (int b = 0; b < cut->kernel; b++)
            *factors++ = winograd_filter(cut, product / cut->side, a) *
                         winograd_filter(cut, product % cut->side, b);
    }
}

/* Transforms the weights of `lanes` output channels and one input channel for all products. The
 * other lanes of `to` become 0. `weights` points to the first weight. */
static void transform_lanes(int products, double (*factors)[TAPS_MAX], int taps, size_t in,
                            int lanes, const float *weights, float (*to)[LANES]) {
    double w[TAPS_MAX][LANES] = {{0}};
    for (int tap = 0; tap < taps; tap++) {
        for (int k = 0; k < lanes; k++)
            w[tap][k] = (double)weights[((size_t)k * (size_t)taps + (size_t)tap) * in];
    }
    for (int p = 0; p < products; p++) {
        double sums[LANES] = {0};
        for (int tap = 0; tap < taps; tap++) {
            for (int k = 0; k < LANES; k++)
                sums[k] += factors[p][tap] * w[tap][k];
        }
        for (int k = 0; k < LANES; k++)
            to[p][k] = (float)sums[k];
    }
}

void winograd_weights(const Winograd *cut, int in, int out, const float *weights, float *to) {
    double factors[PRODUCTS_MAX][TAPS_MAX];
    float lines[PRODUCTS_MAX][LANES];
    int taps = cut->kernel * cut->kernel;
    size_t ins = (size_t)in, outs = (size_t)winograd_padded(out);
    for (int p = 0; p < cut->products; p++)
        filter_factors(cut, p, factors[p]);
    for (int o = 0; o < out; o += LANES) {
        const float *from = weights + (size_t)(o * taps) * ins;
        for (size_t i = 0; i < ins; i++) {
            transform_lanes(cut->products, factors, taps, ins, out - o < LANES ? out - o : LANES,
                            from + i, lines);
            for (size_t p = 0; p < (size_t)cut->products; p++)
                memcpy(to + (p * ins + i) * outs + (size_t)o, lines[p], sizeof lines[p]);
        }
    }
}

WinogradTransform *winograd_input_of(const Winograd *cut) {
    return transforms()->input[which_cut(cut)];
}

WinogradTransform *winograd_spread_of(const Winograd *cut) {
    return transforms()->spread[which_cut(cut)];
}

void winograd_input(const WinogradCall *call) {
    winograd_input_of(call->cut)(call);
}

void winograd_spread(const WinogradCall *call) {
    winograd_spread_of(call->cut)(call);
}

void winograd_output(const WinogradCall *call) {
    transforms()->output[which_cut(call->cut)](call);
}
