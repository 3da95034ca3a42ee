#include "nn/kernels/conv/conv_winograd_weights.h"

#include <stddef.h>
#include <string.h>

enum { LANES = 16 };

#if defined(__x86_64__)
#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma")))
#else
#define TARGET
#endif

typedef float Lanes __attribute__((vector_size(4 * LANES)));
typedef float LanesAt __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

typedef struct {
    float g[WINOGRAD_SIDE_MAX][3];
    int side;
} Filter;

static Filter filter_of(const Winograd *cut) {
    Filter filter = {.side = cut->side};
    for (int k = 0; k < filter.side; k++) {
        for (int a = 0; a < 3; a++)
            filter.g[k][a] = (float)winograd_filter(cut, k, a);
    }
    return filter;
}

/* Computes G w G' of 16 filters w. Writes element k of the 16 results to the 16 floats that begin
 * at to[k * stride]. */
TARGET static inline void transform(const Filter *f, Lanes w[3][3], float *to, size_t stride) {
    for (int k = 0; k < f->side; k++) {
        Lanes line[3];
        for (int b = 0; b < 3; b++)
            line[b] = f->g[k][0] * w[0][b] + f->g[k][1] * w[1][b] + f->g[k][2] * w[2][b];
        for (int l = 0; l < f->side; l++, to += stride)
            *(LanesAt *)to = f->g[l][0] * line[0] + f->g[l][1] * line[1] + f->g[l][2] * line[2];
    }
}

static int lanes_of(int channels, int first) {
    return channels - first < LANES ? channels - first : LANES;
}

TARGET void conv_winograd_weights(const Winograd *cut, int in, int out, const float *weights,
                                  float *to) {
    Filter filter = filter_of(cut);
    int ins = winograd_padded(in), outs = winograd_padded(out);
    size_t each = 9 * (size_t)in, plane = (size_t)ins * (size_t)outs;
    for (int o = 0; o < outs; o += LANES) {
        int lanes = lanes_of(out, o);
        for (int i = 0; i < ins; i++) {
            Lanes w[3][3] = {{{0}}};
            for (int tap = 0; tap < 9 && i < in; tap++) {
                const float *from = weights + (size_t)o * each + (size_t)(tap * in + i);
                for (int lane = 0; lane < lanes; lane++)
                    w[tap / 3][tap % 3][lane] = from[(size_t)lane * each];
            }
            transform(&filter, w, to + (size_t)i * (size_t)outs + o, plane);
        }
    }
}

TARGET void conv_winograd_weights_rotated(const Winograd *cut, int in, int out,
                                          const float *weights, float *to) {
    Filter filter = filter_of(cut);
    int ins = winograd_padded(in), outs = winograd_padded(out);
    for (int o = 0; o < outs; o++) {
        for (int i = 0; i < ins; i += LANES) {
            size_t bytes = (size_t)lanes_of(in, i) * sizeof *weights;
            Lanes w[3][3] = {{{0}}};
            for (int tap = 0; tap < 9 && o < out; tap++)
                memcpy(&w[2 - tap / 3][2 - tap % 3],
                       weights + (size_t)(o * 9 + tap) * (size_t)in + i, bytes);
            transform(&filter, w, to + (size_t)o * (size_t)ins + i, (size_t)ins * (size_t)outs);
        }
    }
}

/* Computes G' dU G of 16 filters. Element k of the 16 dU is in the 16 floats that begin at
 * from[k * stride]. */
TARGET static inline void transform_back(const Filter *f, const float *from, size_t stride,
                                         Lanes sum[3][3]) {
    for (int tap = 0; tap < 9; tap++)
        sum[tap / 3][tap % 3] = (Lanes){0};
    for (int k = 0; k < f->side; k++) {
        Lanes line[3] = {{0}};
        for (int l = 0; l < f->side; l++, from += stride) {
            for (int b = 0; b < 3; b++)
                line[b] += f->g[l][b] * *(const LanesAt *)from;
        }
        for (int tap = 0; tap < 9; tap++)
            sum[tap / 3][tap % 3] += f->g[k][tap / 3] * line[tap % 3];
    }
}

TARGET void conv_winograd_weights_gradient(const Winograd *cut, int in, int out, const float *from,
                                           float *gradient) {
    Filter filter = filter_of(cut);
    int outs = winograd_padded(out);
    size_t plane = (size_t)winograd_padded(in) * (size_t)outs, each = 9 * (size_t)in;
    for (int i = 0; i < in; i++) {
        for (int o = 0; o < out; o += LANES) {
            Lanes sum[3][3];
            int lanes = lanes_of(out, o);
            transform_back(&filter, from + (size_t)i * (size_t)outs + o, plane, sum);
            for (int tap = 0; tap < 9; tap++) {
                float *to = gradient + (size_t)o * each + (size_t)(tap * in + i);
                for (int lane = 0; lane < lanes; lane++)
                    to[(size_t)lane * each] += sum[tap / 3][tap % 3][lane];
            }
        }
    }
}
