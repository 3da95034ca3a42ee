/* infer_winograd_body.h - the transforms of Winograd's minimal filtering, included by
 * infer_winograd.c once an instruction set; it defines KERNEL, KERNEL_TARGET. Lavin and Gray 2016,
 * "Fast algorithms for convolutional neural networks", section 4: Y = A' [(G g G') . (B' d B)] A.
 * F(4, 3) has the points 0, 1, -1, 2, -2; F(3, 3) has 0, 1, -1, 2. */

/* One column of B' d: from[k * stride] to to[k * stride], 16 channels a number. */
KERNEL_TARGET static inline void KERNEL(input_line)(int tile, const float *restrict from,
                                                    float *restrict to, int stride) {
    const float *d0 = from, *d1 = from + stride, *d2 = d1 + stride, *d3 = d2 + stride,
                *d4 = d3 + stride;
    if (tile == 4) {
        const float *d5 = d4 + stride;
        for (int k = 0; k < LANES; k++) {
            float even = d4[k] - 4.0f * d2[k], odd = d3[k] - 4.0f * d1[k];
            float even2 = d4[k] - d2[k], odd2 = 2.0f * (d3[k] - d1[k]);
            to[k] = 4.0f * d0[k] - 5.0f * d2[k] + d4[k];
            to[stride + k] = even + odd;
            to[2 * stride + k] = even - odd;
            to[3 * stride + k] = even2 + odd2;
            to[4 * stride + k] = even2 - odd2;
            to[5 * stride + k] = 4.0f * d1[k] - 5.0f * d3[k] + d5[k];
        }
        return;
    }
    for (int k = 0; k < LANES; k++) {
        to[k] = 2.0f * (d0[k] - d2[k]) + d3[k] - d1[k];
        to[stride + k] = d3[k] - d2[k] - 2.0f * d1[k];
        to[2 * stride + k] = 2.0f * d1[k] - 3.0f * d2[k] + d3[k];
        to[3 * stride + k] = d3[k] - d1[k];
        to[4 * stride + k] = 2.0f * (d1[k] - d3[k]) + d4[k] - d2[k];
    }
}

/* One line of A' m: tile + 2 numbers to tile. */
KERNEL_TARGET static inline void KERNEL(output_line)(int tile, const float *restrict m, int stride,
                                                     float *restrict to, int to_stride) {
    const float *m1 = m + stride, *m2 = m1 + stride, *m3 = m2 + stride, *m4 = m3 + stride;
    if (tile == 4) {
        const float *m5 = m4 + stride;
        for (int k = 0; k < LANES; k++) {
            float sum = m1[k] + m2[k], apart = m1[k] - m2[k], sum2 = m3[k] + m4[k],
                  apart2 = m3[k] - m4[k];
            to[k] = m[k] + sum + sum2;
            to[to_stride + k] = apart + 2.0f * apart2;
            to[2 * to_stride + k] = sum + 4.0f * sum2;
            to[3 * to_stride + k] = apart + 8.0f * apart2 + m5[k];
        }
        return;
    }
    for (int k = 0; k < LANES; k++) {
        float sum = m1[k] + m2[k], apart = m1[k] - m2[k];
        to[k] = m[k] + sum + m3[k];
        to[to_stride + k] = apart + 2.0f * m3[k];
        to[2 * to_stride + k] = sum + 4.0f * m3[k] + m4[k];
    }
}

KERNEL_TARGET static inline void KERNEL(input_tile)(const WinogradCall *call, int tile, int sample,
                                                    int y, int x, int c, float *restrict v,
                                                    size_t plane) {
    enum { ROW = 6 * LANES };
    float d[6 * ROW], t[6 * ROW];
    int side = tile + 2, channels = call->channels;
    int lanes = channels - c < LANES ? channels - c : LANES;
    for (int i = 0; i < side; i++) {
        for (int j = 0; j < side; j++) {
            float *to = d + i * ROW + j * LANES;
            int row = y + i, column = x + j;
            bool in = row >= 0 && row < call->height && column >= 0 && column < call->width;
            size_t line = in ? (size_t)(sample * call->height + row) : 0,
                   cell = in ? line * (size_t)call->width + (size_t)column : 0;
            const float *from = call->x + cell * (size_t)channels + c;
            if (in && lanes == LANES)
                memcpy(to, from, LANES * sizeof *to);
            else {
                memset(to, 0, LANES * sizeof *to);
                if (in) memcpy(to, from, (size_t)lanes * sizeof *to);
            }
        }
    }
    for (int j = 0; j < side; j++)
        KERNEL(input_line)(tile, d + j * LANES, t + j * LANES, ROW);
    for (int i = 0; i < side; i++)
        KERNEL(input_line)(tile, t + i * ROW, d + i * ROW, LANES);
    for (int i = 0; i < side * side; i++) {
        const float *from = d + i / side * ROW + i % side * LANES;
        if (lanes == LANES)
            memcpy(v + (size_t)i * plane, from, LANES * sizeof *v);
        else
            memcpy(v + (size_t)i * plane, from, (size_t)lanes * sizeof *v);
    }
}

KERNEL_TARGET static inline void KERNEL(store_cell)(const WinogradCall *call,
                                                    const float *restrict from, size_t cell, int c,
                                                    int lanes) {
    size_t at = cell * (size_t)call->channels + (size_t)c;
    float *to = call->y + at;
    float value[LANES];
    const float *bias = call->bias ? call->bias + c : NULL,
                *residual = call->residual ? call->residual + at : NULL;
    if (call->mask && call->mask[cell] == 0.0f) {
        memset(to, 0, (size_t)lanes * sizeof *to);
        return;
    }
    if (lanes == LANES) {
        for (int k = 0; k < LANES; k++)
            value[k] = from[k] + (bias ? bias[k] : 0.0f);
        if (residual)
            for (int k = 0; k < LANES; k++)
                value[k] += residual[k];
        if (call->activation == ACTIVATION_RELU)
            for (int k = 0; k < LANES; k++)
                value[k] = value[k] > 0.0f ? value[k] : 0.0f;
        memcpy(to, value, sizeof value);
        return;
    }
    for (int k = 0; k < lanes; k++) {
        float sum = from[k] + (bias ? bias[k] : 0.0f) + (residual ? residual[k] : 0.0f);
        to[k] = call->activation == ACTIVATION_RELU && sum < 0.0f ? 0.0f : sum;
    }
}

KERNEL_TARGET static inline void KERNEL(output_tile)(const WinogradCall *call, int tile, int sample,
                                                     int y, int x, int c, const float *restrict m,
                                                     size_t plane) {
    enum { ROW = 6 * LANES };
    float d[6 * ROW], t[6 * ROW];
    int side = tile + 2, lanes = call->channels - c < LANES ? call->channels - c : LANES;
    for (int i = 0; i < side * side; i++) {
        float *to = d + i / side * ROW + i % side * LANES;
        if (lanes == LANES)
            memcpy(to, m + (size_t)i * plane, LANES * sizeof *to);
        else {
            memset(to, 0, LANES * sizeof *to);
            memcpy(to, m + (size_t)i * plane, (size_t)lanes * sizeof *to);
        }
    }
    for (int j = 0; j < side; j++)
        KERNEL(output_line)(tile, d + j * LANES, ROW, t + j * LANES, ROW);
    for (int i = 0; i < tile; i++) {
        if (y + i >= call->height) break;
        KERNEL(output_line)(tile, t + i * ROW, LANES, d, LANES);
        for (int j = 0; j < tile && x + j < call->width; j++) {
            size_t cell =
                (size_t)(sample * call->height + y + i) * (size_t)call->width + (size_t)(x + j);
            KERNEL(store_cell)(call, d + j * LANES, cell, c, lanes);
        }
    }
}

#define KERNEL_TILES(name, each, tile, pointer, offset)                                            \
    KERNEL_TARGET static void KERNEL(name)(const WinogradCall *call) {                             \
        int across = (call->width + (tile)-1) / (tile), down = (call->height + (tile)-1) / (tile); \
        size_t plane = (size_t)call->samples * (size_t)(across * down) * (size_t)call->channels;   \
        size_t at = 0;                                                                             \
        for (int sample = 0; sample < call->samples; sample++) {                                   \
            for (int t = 0; t < across * down; t++, at += (size_t)call->channels) {                \
                for (int c = 0; c < call->channels; c += LANES) {                                  \
                    KERNEL(each)                                                                   \
                    (call, tile, sample, t / across * (tile) - (offset),                           \
                     t % across * (tile) - (offset), c, call->pointer + at + c, plane);            \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }
KERNEL_TILES(input3, input_tile, 3, v, 1)
KERNEL_TILES(input4, input_tile, 4, v, 1)
KERNEL_TILES(output3, output_tile, 3, m, 0)
KERNEL_TILES(output4, output_tile, 4, m, 0)
#undef KERNEL_TILES
