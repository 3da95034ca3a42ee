/* winograd_body.h - the transforms of Winograd's minimal filtering, included by
 * winograd.c once an instruction set; it defines KERNEL, KERNEL_TARGET. Lavin and Gray 2016,
 * "Fast algorithms for convolutional neural networks", section 4: Y = A' [(G g G') . (B' d B)] A.
 * F(3, 3) has the points 0, 1, -1, 2 and infinity, F(4, 3) also -2, F(5, 3) also 1/2. */

/* A line of B' d, 16 channels a number: d[0 .. tile + 1] to to[k * stride]. */
KERNEL_TARGET static inline void KERNEL(input_line)(int tile, const float *const *d, float *to,
                                                    size_t stride) {
    Lanes d0 = *(const Lanes *)d[0], d1 = *(const Lanes *)d[1], d2 = *(const Lanes *)d[2],
          d3 = *(const Lanes *)d[3], d4 = *(const Lanes *)d[4];
    if (tile == 3) {
        *(Lanes *)to = 2.0f * (d0 - d2) + d3 - d1;
        *(Lanes *)(to + stride) = d3 - d2 - 2.0f * d1;
        *(Lanes *)(to + 2 * stride) = 2.0f * d1 - 3.0f * d2 + d3;
        *(Lanes *)(to + 3 * stride) = d3 - d1;
        *(Lanes *)(to + 4 * stride) = 2.0f * (d1 - d3) + d4 - d2;
        return;
    }
    Lanes d5 = *(const Lanes *)d[5];
    if (tile == 5) { /* as of F(4, 3) over differences that the point 1/2 does not see */
        Lanes d6 = *(const Lanes *)d[6];
        *(Lanes *)(to + 5 * stride) = 4.0f * d1 - 5.0f * d3 + d5;
        d0 = d1 - 0.5f * d0;
        d1 = d2 - 0.5f * d1;
        d2 = d3 - 0.5f * d2;
        d3 = d4 - 0.5f * d3;
        d4 = d5 - 0.5f * d4;
        d5 = d6 - 0.5f * d5;
    }
    Lanes even = d4 - 4.0f * d2, odd = d3 - 4.0f * d1, even2 = d4 - d2, odd2 = 2.0f * (d3 - d1);
    *(Lanes *)to = 4.0f * d0 - 5.0f * d2 + d4;
    *(Lanes *)(to + stride) = even + odd;
    *(Lanes *)(to + 2 * stride) = even - odd;
    *(Lanes *)(to + 3 * stride) = even2 + odd2;
    *(Lanes *)(to + 4 * stride) = even2 - odd2;
    *(Lanes *)(to + (size_t)(tile + 1) * stride) = 4.0f * d1 - 5.0f * d3 + d5;
}

/* A line of A' m: the tile + 2 numbers m[k * stride] to to[0 .. tile - 1], to_stride apart. */
KERNEL_TARGET static inline void KERNEL(output_line)(int tile, const float *m, size_t stride,
                                                     float *to, size_t to_stride) {
    Lanes m0 = *(const Lanes *)m, m1 = *(const Lanes *)(m + stride),
          m2 = *(const Lanes *)(m + 2 * stride), m3 = *(const Lanes *)(m + 3 * stride),
          m4 = *(const Lanes *)(m + 4 * stride);
    Lanes sum = m1 + m2, apart = m1 - m2;
    if (tile == 3) {
        *(Lanes *)to = m0 + sum + m3;
        *(Lanes *)(to + to_stride) = apart + 2.0f * m3;
        *(Lanes *)(to + 2 * to_stride) = sum + 4.0f * m3 + m4;
        return;
    }
    Lanes sum2 = m3 + m4, apart2 = m3 - m4, m5 = *(const Lanes *)(m + 5 * stride),
          third = apart + 8.0f * apart2;
    if (tile == 4) {
        *(Lanes *)to = m0 + sum + sum2;
        *(Lanes *)(to + to_stride) = apart + 2.0f * apart2;
        *(Lanes *)(to + 2 * to_stride) = sum + 4.0f * sum2;
        *(Lanes *)(to + 3 * to_stride) = third + m5;
        return;
    }
    *(Lanes *)to = m0 + sum + sum2 + m5;
    *(Lanes *)(to + to_stride) = apart + 2.0f * apart2 + 0.5f * m5;
    *(Lanes *)(to + 2 * to_stride) = sum + 4.0f * sum2 + 0.25f * m5;
    *(Lanes *)(to + 3 * to_stride) = third + 0.125f * m5;
    *(Lanes *)(to + 4 * to_stride) =
        sum + 16.0f * sum2 + 0.0625f * m5 + *(const Lanes *)(m + 6 * stride);
}

/* A line of A d: d[0 .. tile - 1] to to[k * stride], tile + 2 numbers. */
KERNEL_TARGET static inline void KERNEL(spread_line)(int tile, const float *const *d, float *to,
                                                     size_t stride) {
    Lanes d0 = *(const Lanes *)d[0], d1 = *(const Lanes *)d[1], d2 = *(const Lanes *)d[2];
    Lanes even = d0 + d2, odd = d1, even2 = d0 + 4.0f * d2, odd2 = 2.0f * d1, last = d2;
    if (tile > 3) {
        Lanes d3 = *(const Lanes *)d[3];
        odd += d3;
        odd2 += 8.0f * d3;
        last = d3;
        if (tile == 5) {
            last = *(const Lanes *)d[4];
            even += last;
            even2 += 16.0f * last;
            *(Lanes *)(to + 5 * stride) =
                d0 + 0.5f * d1 + 0.25f * d2 + 0.125f * d3 + 0.0625f * last;
        }
        *(Lanes *)(to + 4 * stride) = even2 - odd2;
    }
    *(Lanes *)to = d0;
    *(Lanes *)(to + stride) = even + odd;
    *(Lanes *)(to + 2 * stride) = even - odd;
    *(Lanes *)(to + 3 * stride) = even2 + odd2;
    *(Lanes *)(to + (size_t)(tile + 1) * stride) = last;
}

/* d = `count` cells of a column from y on, off the board NONE; `ends`: room for the last channels
 * where they are fewer than LANES. */
KERNEL_TARGET static inline void KERNEL(find_column)(const WinogradCall *call, int sample, int y,
                                                     int x, int c, int lanes, int count,
                                                     const float **d, float *ends) {
    for (int i = 0; i < count; i++) {
        int row = y + i;
        d[i] = NONE;
        if (row < 0 || row >= call->height || x < 0 || x >= call->width) continue;
        size_t cell = (size_t)(sample * call->height + row) * (size_t)call->width + (size_t)x;
        d[i] = call->x + cell * (size_t)call->channels + c;
        if (lanes == LANES) continue;
        memcpy(ends + i * LANES, d[i], (size_t)lanes * sizeof *ends);
        d[i] = ends + i * LANES;
    }
}

/* B' d B of a tile's surroundings, or, `spread`, A d A' of the tile itself. */
KERNEL_TARGET static inline void KERNEL(both_lines)(const WinogradCall *call, int tile, bool spread,
                                                    int sample, int y, int x, int c, float *v,
                                                    size_t plane) {
    float t[SIDE_MOST * SIDE_MOST * LANES], ends[SIDE_MOST * LANES] = {0};
    const float *d[SIDE_MOST];
    int side = tile + 2, count = spread ? tile : side,
        lanes = call->channels - c < LANES ? call->channels - c : LANES;
    size_t line = SIDE_MOST * LANES;
    for (int j = 0; j < count; j++) {
        KERNEL(find_column)(call, sample, y, x + j, c, lanes, count, d, ends);
        if (spread)
            KERNEL(spread_line)(tile, d, t + j * LANES, line);
        else
            KERNEL(input_line)(tile, d, t + j * LANES, line);
    }
    for (int i = 0; i < side; i++, v += (size_t)side * plane) {
        for (int j = 0; j < count; j++)
            d[j] = t + (size_t)i * line + j * LANES;
        if (spread)
            KERNEL(spread_line)(tile, d, v, plane);
        else
            KERNEL(input_line)(tile, d, v, plane);
    }
}

KERNEL_TARGET static inline void KERNEL(input_tile)(const WinogradCall *call, int tile, int sample,
                                                    int y, int x, int c, float *v, size_t plane) {
    KERNEL(both_lines)(call, tile, false, sample, y, x, c, v, plane);
}

KERNEL_TARGET static inline void KERNEL(spread_tile)(const WinogradCall *call, int tile, int sample,
                                                     int y, int x, int c, float *v, size_t plane) {
    KERNEL(both_lines)(call, tile, true, sample, y, x, c, v, plane);
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
                                                     int y, int x, int c, const float *m,
                                                     size_t plane) {
    float t[SIDE_MOST * SIDE_MOST * LANES], results[SIDE_MOST * LANES];
    int side = tile + 2, lanes = call->channels - c < LANES ? call->channels - c : LANES;
    size_t line = (size_t)side * LANES;
    for (int j = 0; j < side; j++)
        KERNEL(output_line)(tile, m + (size_t)j * plane, (size_t)side * plane, t + j * LANES, line);
    for (int i = 0; i < tile && y + i < call->height; i++) {
        KERNEL(output_line)(tile, t + (size_t)i * line, LANES, results, LANES);
        for (int j = 0; j < tile && x + j < call->width; j++) {
            size_t cell =
                (size_t)(sample * call->height + y + i) * (size_t)call->width + (size_t)(x + j);
            KERNEL(store_cell)(call, results + j * LANES, cell, c, lanes);
        }
    }
}

#define KERNEL_TILES(name, each, tile, pointer, offset)                                            \
    KERNEL_TARGET static void KERNEL(name)(const WinogradCall *call) {                             \
        int across = (call->width + (tile)-1) / (tile), down = (call->height + (tile)-1) / (tile); \
        size_t padded = (size_t)winograd_padded(call->channels),                                   \
               plane = (size_t)call->samples * (size_t)(across * down) * padded;                   \
        size_t at = 0;                                                                             \
        for (int sample = 0; sample < call->samples; sample++) {                                   \
            for (int t = 0; t < across * down; t++, at += padded) {                                \
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
KERNEL_TILES(input5, input_tile, 5, v, 1)
KERNEL_TILES(spread3, spread_tile, 3, v, 0)
KERNEL_TILES(spread4, spread_tile, 4, v, 0)
KERNEL_TILES(spread5, spread_tile, 5, v, 0)
KERNEL_TILES(output3, output_tile, 3, m, 0)
KERNEL_TILES(output4, output_tile, 4, m, 0)
KERNEL_TILES(output5, output_tile, 5, m, 0)
#undef KERNEL_TILES
