/* winograd_body.h - the transforms of Winograd's minimal filtering, included by
 * winograd.c once an instruction set; it defines KERNEL, KERNEL_TARGET. Lavin and Gray 2016,
 * "Fast algorithms for convolutional neural networks", section 4: Y = A' [(G g G') . (B' d B)] A.
 * A side of 5 has the points 0, 1, -1, 2 and infinity, one of 6 also -2, one of 7 also 1/2; B is of
 * the points alone. */

/* A line of B' d, 16 channels a number: d[0 .. side - 1] to to[k * stride]. */
KERNEL_TARGET static inline void KERNEL(input_line)(int side, const float *const *d, float *to,
                                                    size_t stride) {
    Lanes d0 = *(const Lanes *)d[0], d1 = *(const Lanes *)d[1], d2 = *(const Lanes *)d[2],
          d3 = *(const Lanes *)d[3], d4 = *(const Lanes *)d[4];
    if (side == 5) {
        *(Lanes *)to = 2.0f * (d0 - d2) + d3 - d1;
        *(Lanes *)(to + stride) = d3 - d2 - 2.0f * d1;
        *(Lanes *)(to + 2 * stride) = 2.0f * d1 - 3.0f * d2 + d3;
        *(Lanes *)(to + 3 * stride) = d3 - d1;
        *(Lanes *)(to + 4 * stride) = 2.0f * (d1 - d3) + d4 - d2;
        return;
    }
    Lanes d5 = *(const Lanes *)d[5];
    if (side == 7) { /* as of 6 over differences that the point 1/2 does not see */
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
    *(Lanes *)(to + (size_t)(side - 1) * stride) = 4.0f * d1 - 5.0f * d3 + d5;
}

/* A line of A' m: the side numbers m[k * stride] to to[0 .. tile - 1], to_stride apart. */
KERNEL_TARGET static inline void KERNEL(output_line)(int tile, int side, const float *m,
                                                     size_t stride, float *to, size_t to_stride) {
    Lanes m0 = *(const Lanes *)m, m1 = *(const Lanes *)(m + stride),
          m2 = *(const Lanes *)(m + 2 * stride), m3 = *(const Lanes *)(m + 3 * stride),
          m4 = *(const Lanes *)(m + 4 * stride);
    Lanes sum = m1 + m2, apart = m1 - m2;
    if (side == 5) {
        *(Lanes *)to = m0 + sum + m3;
        *(Lanes *)(to + to_stride) = apart + 2.0f * m3;
        *(Lanes *)(to + 2 * to_stride) = sum + 4.0f * m3 + m4;
        return;
    }
    Lanes sum2 = m3 + m4, apart2 = m3 - m4, m5 = *(const Lanes *)(m + 5 * stride),
          third = apart + 8.0f * apart2;
    if (side == 6) {
        *(Lanes *)to = m0 + sum + sum2;
        *(Lanes *)(to + to_stride) = apart + 2.0f * apart2;
        *(Lanes *)(to + 2 * to_stride) = sum + 4.0f * sum2;
        *(Lanes *)(to + 3 * to_stride) = third + m5;
        return;
    }
    *(Lanes *)to = m0 + sum + sum2 + m5;
    *(Lanes *)(to + to_stride) = apart + 2.0f * apart2 + 0.5f * m5;
    Lanes second = sum + 4.0f * sum2 + 0.25f * m5, last = *(const Lanes *)(m + 6 * stride);
    if (tile == 3) second += last;
    *(Lanes *)(to + 2 * to_stride) = second;
    if (tile == 3) return;
    *(Lanes *)(to + 3 * to_stride) = third + 0.125f * m5;
    *(Lanes *)(to + 4 * to_stride) = sum + 16.0f * sum2 + 0.0625f * m5 + last;
}

/* A line of A d, of 3 x 3: d[0 .. tile - 1] to to[k * stride], tile + 2 numbers. */
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
 * where they are fewer than LANES, 0 after them. */
KERNEL_TARGET static inline void KERNEL(find_column)(const WinogradCall *call, Spot at, int count,
                                                     const float **d, float *ends) {
    for (int i = 0; i < count; i++) {
        int row = at.y + i;
        d[i] = NONE;
        if (row < 0 || row >= call->height || at.x < 0 || at.x >= call->width) continue;
        d[i] = call->x + place_of(call, at.sample, row, at.x) + at.c;
        if (at.lanes == LANES) continue;
        memcpy(ends + i * LANES, d[i], (size_t)at.lanes * sizeof *ends);
        d[i] = ends + i * LANES;
    }
}

/* B' d B of the cells from `at` on, or, `spread`, A d A' of a tile. */
KERNEL_TARGET static inline void KERNEL(both_lines)(const WinogradCall *call, int tile, int side,
                                                    bool spread, Spot at, float *v, size_t plane) {
    float t[WINOGRAD_SIDE_MOST * WINOGRAD_SIDE_MOST * LANES], ends[WINOGRAD_SIDE_MOST * LANES];
    const float *d[WINOGRAD_SIDE_MOST];
    int count = spread ? tile : side;
    size_t line = WINOGRAD_SIDE_MOST * LANES;
    if (at.lanes < LANES) memset(ends, 0, sizeof ends);
    for (int j = 0; j < count; j++, at.x++) {
        KERNEL(find_column)(call, at, count, d, ends);
        if (spread)
            KERNEL(spread_line)(tile, d, t + j * LANES, line);
        else
            KERNEL(input_line)(side, d, t + j * LANES, line);
    }
    for (int i = 0; i < side; i++, v += (size_t)side * plane) {
        for (int j = 0; j < count; j++)
            d[j] = t + (size_t)i * line + j * LANES;
        if (spread)
            KERNEL(spread_line)(tile, d, v, plane);
        else
            KERNEL(input_line)(side, d, v, plane);
    }
}

KERNEL_TARGET static inline void KERNEL(input_tile)(const WinogradCall *call, int tile, int side,
                                                    Spot at, size_t from, size_t plane) {
    at.y -= (side - tile) / 2;
    at.x -= (side - tile) / 2;
    KERNEL(both_lines)(call, tile, side, false, at, call->v + from, plane);
}

KERNEL_TARGET static inline void KERNEL(spread_tile)(const WinogradCall *call, int tile, int side,
                                                     Spot at, size_t from, size_t plane) {
    KERNEL(both_lines)(call, tile, side, true, at, call->v + from, plane);
}

/* `lanes` numbers, 0 after them. */
KERNEL_TARGET static inline void KERNEL(load)(const float *from, int lanes, Lanes *out) {
    if (lanes < LANES) *out = (Lanes){0};
    memcpy(out, from, lanes < LANES ? (size_t)lanes * sizeof *from : sizeof *out);
}

/* place: of the cell in x and y. */
KERNEL_TARGET static inline void KERNEL(store_cell)(const WinogradCall *call, const float *from,
                                                    size_t place, Spot at) {
    float *to = call->y + place + at.c;
    Lanes value = *(const Lanes *)from, other;
    if (call->bias) {
        KERNEL(load)(call->bias + at.c, at.lanes, &other);
        value += other;
    }
    if (call->residual) {
        KERNEL(load)(call->residual + place + at.c, at.lanes, &other);
        value += other;
    }
    if (call->activation == ACTIVATION_RELU) value = (Lanes)((LaneBits)value & (value > 0.0f));
    if (call->mask && call->mask[place / (size_t)call->channels] == 0.0f) value = (Lanes){0};
    memcpy(to, &value, at.lanes < LANES ? (size_t)at.lanes * sizeof *to : sizeof value);
}

KERNEL_TARGET static inline void KERNEL(output_tile)(const WinogradCall *call, int tile, int side,
                                                     Spot at, size_t from, size_t plane) {
    float t[WINOGRAD_SIDE_MOST * WINOGRAD_SIDE_MOST * LANES], results[WINOGRAD_SIDE_MOST * LANES];
    const float *m = call->m + from;
    size_t line = (size_t)side * LANES;
    for (int j = 0; j < side; j++)
        KERNEL(output_line)
    (tile, side, m + (size_t)j * plane, (size_t)side * plane, t + j * LANES, line);
    for (int i = 0; i < tile && at.y + i < call->height; i++) {
        KERNEL(output_line)(tile, side, t + (size_t)i * line, LANES, results, LANES);
        for (int j = 0; j < tile && at.x + j < call->width; j++)
            KERNEL(store_cell)
        (call, results + j * LANES, place_of(call, at.sample, at.y + i, at.x + j), at);
    }
}

#define KERNEL_TILES(name, each, tile, side)                                                       \
    KERNEL_TARGET static void KERNEL(name)(const WinogradCall *call) {                             \
        size_t padded = (size_t)winograd_padded(call->channels), from = 0;                         \
        for (int t = 0; t < call->count; t++, from += (size_t)((side) * (side)) * padded) {        \
            Spot at = spot_of(call, call->first + t);                                              \
            for (at.c = 0; at.c < call->channels; at.c += LANES) {                                 \
                at.lanes = call->channels - at.c < LANES ? call->channels - at.c : LANES;          \
                KERNEL(each)(call, tile, side, at, from + (size_t)at.c, padded);                   \
            }                                                                                      \
        }                                                                                          \
    }
KERNEL_TILES(input3, input_tile, 3, 5)
KERNEL_TILES(input4, input_tile, 4, 6)
KERNEL_TILES(input5, input_tile, 5, 7)
KERNEL_TILES(input3_5, input_tile, 3, 7)
KERNEL_TILES(spread3, spread_tile, 3, 5)
KERNEL_TILES(spread4, spread_tile, 4, 6)
KERNEL_TILES(spread5, spread_tile, 5, 7)
KERNEL_TILES(output3, output_tile, 3, 5)
KERNEL_TILES(output4, output_tile, 4, 6)
KERNEL_TILES(output5, output_tile, 5, 7)
KERNEL_TILES(output3_5, output_tile, 3, 7)
#undef KERNEL_TILES
