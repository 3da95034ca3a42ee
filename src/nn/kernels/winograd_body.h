/* winograd_body.h - the transforms of Winograd's minimal filtering. winograd.c includes it once for
 * each instruction set, after it has defined KERNEL and KERNEL_TARGET and included
 * activation_body.h. The results Y of a tile d of inputs and a filter g are (Lavin and Gray 2016,
 * "Fast algorithms for convolutional neural networks", section 4)
 *     Y = A' [(G g G') . (B' d B)] A
 * where . multiplies element by element and ' means the transpose.
 * How a call runs, tile by tile:
 *     input:   1. find the cells of the tile; off the board read 0  find_cells()
 *              2. transform columns, then rows, to v                both_lines()
 *     output:  1. transform columns of m, then rows                 output_lines()
 *              2. add bias and residual, activate, mask, store
 *     spread:  as input, with A d A' instead of B' d B, for gradients
 * The weights of a filter are the coefficients of a polynomial. Row k of G evaluates this
 * polynomial at a point, and row k of B' belongs to the same point. The points are
 *     5 rows:   0, 1, -1, 2, infinity
 *     6 rows:   0, 1, -1, 1/2, -2, infinity
 *     7 rows:   0, 1, -1, 2, -2, 1/2, infinity
 * The points for 6 rows are from Barabasz, Anderson, Soodhalter and Gregg 2020, "Error Analysis and
 * Improving the Accuracy of Winograd Convolution for Deep Neural Networks". They give half the
 * rounding error of 0, 1, -1, 2, -2 and infinity.
 * The row of B' for a point consists of the coefficients of the polynomial
 *     product of (x - p) over all other finite points p
 * It has no further factor, because all scaling is in G. */

/* Transforms one row or column by B': reads `side` values from the addresses d[k] and writes `side`
 * values to[k * stride]. Each value has 16 channels. */
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
    if (side == 6) {
        Lanes even = d4 - d2, odd = d3 - d1;
        *(Lanes *)to = d0 - 2.0f * d2 + d4 + 1.5f * odd;
        *(Lanes *)(to + stride) = even + odd + 1.5f * (d2 + d3);
        *(Lanes *)(to + 2 * stride) = even - odd + 1.5f * (d3 - d2);
        *(Lanes *)(to + 3 * stride) = even + 2.0f * odd;
        *(Lanes *)(to + 4 * stride) = even - 0.5f * odd;
        *(Lanes *)(to + 5 * stride) = d1 - 2.0f * d3 + d5 + 1.5f * even;
        return;
    }
    /* The polynomial of each row has the factor x - 1/2, except in the row of the point 1/2.
     * Multiply by this factor first: d[k] becomes d[k + 1] - d[k] / 2. The rest is the transform
     * with the points 0, 1, -1, 2, -2 and infinity. */
    Lanes d6 = *(const Lanes *)d[6];
    *(Lanes *)(to + 5 * stride) = 4.0f * d1 - 5.0f * d3 + d5;
    d0 = d1 - 0.5f * d0;
    d1 = d2 - 0.5f * d1;
    d2 = d3 - 0.5f * d2;
    d3 = d4 - 0.5f * d3;
    d4 = d5 - 0.5f * d4;
    d5 = d6 - 0.5f * d5;
    Lanes even = d4 - 4.0f * d2, odd = d3 - 4.0f * d1, even2 = d4 - d2, odd2 = 2.0f * (d3 - d1);
    *(Lanes *)to = 4.0f * d0 - 5.0f * d2 + d4;
    *(Lanes *)(to + stride) = even + odd;
    *(Lanes *)(to + 2 * stride) = even - odd;
    *(Lanes *)(to + 3 * stride) = even2 + odd2;
    *(Lanes *)(to + 4 * stride) = even2 - odd2;
    *(Lanes *)(to + 6 * stride) = 4.0f * d1 - 5.0f * d3 + d5;
}

/* Transforms one row or column by A': reads `side` values m[k * stride] and writes `tile` values
 * to[k * to_stride]. Each value has 16 channels. */
KERNEL_TARGET static inline void KERNEL(output_line)(int tile, int side, const float *m,
                                                     size_t stride, float *to, size_t to_stride) {
    Lanes m0 = *(const Lanes *)m, m1 = *(const Lanes *)(m + stride),
          m2 = *(const Lanes *)(m + 2 * stride), m3 = *(const Lanes *)(m + 3 * stride),
          m4 = *(const Lanes *)(m + 4 * stride);
    Lanes sum = m1 + m2, difference = m1 - m2;
    if (side == 5) {
        *(Lanes *)to = m0 + sum + m3;
        *(Lanes *)(to + to_stride) = difference + 2.0f * m3;
        *(Lanes *)(to + 2 * to_stride) = sum + 4.0f * m3 + m4;
        return;
    }
    Lanes m5 = *(const Lanes *)(m + 5 * stride);
    if (side == 6) {
        *(Lanes *)to = m0 + sum + m3 + m4;
        *(Lanes *)(to + to_stride) = difference + 0.5f * m3 - 2.0f * m4;
        *(Lanes *)(to + 2 * to_stride) = sum + 0.25f * m3 + 4.0f * m4;
        *(Lanes *)(to + 3 * to_stride) = difference + 0.125f * m3 - 8.0f * m4 + m5;
        return;
    }
    Lanes sum2 = m3 + m4, difference2 = m3 - m4, third = difference + 8.0f * difference2;
    *(Lanes *)to = m0 + sum + sum2 + m5;
    *(Lanes *)(to + to_stride) = difference + 2.0f * difference2 + 0.5f * m5;
    Lanes second = sum + 4.0f * sum2 + 0.25f * m5, last = *(const Lanes *)(m + 6 * stride);
    if (tile == 3) second += last;
    *(Lanes *)(to + 2 * to_stride) = second;
    if (tile == 3) return;
    *(Lanes *)(to + 3 * to_stride) = third + 0.125f * m5;
    *(Lanes *)(to + 4 * to_stride) = sum + 16.0f * sum2 + 0.0625f * m5 + last;
}

/* Transforms one row or column by A, for 3 x 3 convolutions: reads `tile` values from the addresses
 * d[k] and writes tile + 2 values to[k * stride]. Each value has 16 channels. */
KERNEL_TARGET static inline void KERNEL(spread_line)(int tile, const float *const *d, float *to,
                                                     size_t stride) {
    Lanes d0 = *(const Lanes *)d[0], d1 = *(const Lanes *)d[1], d2 = *(const Lanes *)d[2];
    Lanes even = d0 + d2, odd = d1, even2 = d0 + 4.0f * d2, odd2 = 2.0f * d1, last = d2;
    if (tile > 3) {
        last = *(const Lanes *)d[3];
        odd += last;
        odd2 += 8.0f * last;
    }
    if (tile == 4) {
        *(Lanes *)(to + 3 * stride) = d0 + 0.5f * d1 + 0.25f * d2 + 0.125f * last;
        *(Lanes *)(to + 4 * stride) = even2 - odd2;
    } else if (tile == 5) {
        Lanes d3 = last;
        last = *(const Lanes *)d[4];
        even += last;
        even2 += 16.0f * last;
        *(Lanes *)(to + 4 * stride) = even2 - odd2;
        *(Lanes *)(to + 5 * stride) = d0 + 0.5f * d1 + 0.25f * d2 + 0.125f * d3 + 0.0625f * last;
    }
    *(Lanes *)to = d0;
    *(Lanes *)(to + stride) = even + odd;
    *(Lanes *)(to + 2 * stride) = even - odd;
    if (tile != 4) *(Lanes *)(to + 3 * stride) = even2 + odd2;
    *(Lanes *)(to + (size_t)(tile + 1) * stride) = last;
}

/* Sets d[i] to the address of channel c of cell i in one column of count x count cells. `column`
 * points to the first cell of this column. If fewer than LANES channels are left, they are copied
 * to `ends`, where zeros follow them, and d[i] is the address of the copy. For a cell off the
 * board, d[i] is the address of zeros. */
KERNEL_TARGET static inline void KERNEL(find_column)(const Cell *column, int count, int c,
                                                     int lanes, const float **d, float *ends) {
    for (int i = 0; i < count; i++, column += count) {
        d[i] = column->at + ((size_t)c & column->channels);
        if (lanes == LANES || !column->channels) continue;
        memcpy(ends + i * LANES, d[i], (size_t)lanes * sizeof *ends);
        d[i] = ends + i * LANES;
    }
}

/* Computes channels c .. c + lanes - 1 of B' d B of side x side cells or, with `spread`, of A d A'
 * of tile x tile cells. Element k of the result goes to v[k * plane]. */
KERNEL_TARGET static inline void KERNEL(both_lines)(const Cell *cells, int tile, int side,
                                                    bool spread, int c, int lanes, float *v,
                                                    size_t plane) {
    float t[WINOGRAD_SIDE_MAX * WINOGRAD_SIDE_MAX * LANES], ends[WINOGRAD_SIDE_MAX * LANES];
    const float *d[WINOGRAD_SIDE_MAX];
    int count = spread ? tile : side;
    size_t line = WINOGRAD_SIDE_MAX * LANES;
    if (lanes < LANES) memset(ends, 0, sizeof ends);
    for (int j = 0; j < count; j++) {
        KERNEL(find_column)(cells + j, count, c, lanes, d, ends);
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
                                                    bool spread, Spot at, float *v) {
    Cell cells[WINOGRAD_SIDE_MAX * WINOGRAD_SIDE_MAX];
    size_t plane = (size_t)winograd_padded(call->channels);
    find_cells(call, at, spread ? tile : side, spread ? 0 : (side - tile) / 2, cells);
    if (call->streams) fetch_ahead(call, at);
    for (int c = 0; c < call->channels; c += LANES) {
        int lanes = call->channels - c < LANES ? call->channels - c : LANES;
        if (lanes == LANES)
            KERNEL(both_lines)(cells, tile, side, spread, c, LANES, v + c, plane);
        else
            KERNEL(both_lines)(cells, tile, side, spread, c, lanes, v + c, plane);
    }
}

/* Loads `lanes` floats, followed by zeros. */
KERNEL_TARGET static inline void KERNEL(load)(const float *from, int lanes, Lanes *out) {
    *out = (Lanes){0};
    if (lanes == LANES)
        *out = *(const Lanes *)from;
    else
        memcpy(out, from, (size_t)lanes * sizeof *from);
}

KERNEL_TARGET static inline void KERNEL(store)(float *to, int lanes, const Lanes *value) {
    if (lanes == LANES)
        *(Lanes *)to = *value;
    else
        memcpy(to, value, (size_t)lanes * sizeof *to);
}

KERNEL_TARGET static inline void KERNEL(activate)(Activation activation, Lanes *value) {
    float x[LANES];
    memcpy(x, value, sizeof x);
    switch (activation) {
    case ACTIVATION_IDENTITY:
        return;
    case ACTIVATION_RELU:
        *value = (Lanes)((LaneBits)*value & (*value > 0.0f));
        return;
    case ACTIVATION_MISH:
        for (int k = 0; k < LANES; k++)
            x[k] = KERNEL(mish)(x[k]);
        break;
    case ACTIVATION_SILU:
        for (int k = 0; k < LANES; k++)
            x[k] = KERNEL(silu)(x[k]);
        break;
    case ACTIVATION_TANH:
        for (int k = 0; k < LANES; k++)
            x[k] = KERNEL(tanh)(x[k]);
        break;
    }
    memcpy(value, x, sizeof x);
}

/* Computes `lanes` channels of a tile's results, from channel c on. Members of the call are copied
 * to local variables first, because the compiler must assume that a store to y changes them. */
KERNEL_TARGET static inline void KERNEL(output_lines)(const WinogradCall *call, int tile, int side,
                                                      Spot at, int c, int lanes, const float *m,
                                                      size_t plane) {
    float t[WINOGRAD_SIDE_MAX * WINOGRAD_SIDE_MAX * LANES], results[WINOGRAD_SIDE_MAX * LANES];
    size_t line = (size_t)side * LANES, gap = (size_t)side * plane,
           channels = (size_t)call->channels, place = place_of(call, at.sample, at.y, at.x),
           row = (size_t)call->width * channels;
    int high = call->height - at.y < tile ? call->height - at.y : tile,
        wide = call->width - at.x < tile ? call->width - at.x : tile;
    const float *residual = call->residual, *mask = call->mask;
    float *y = call->y + c;
    Lanes bias = {0}, other;
    if (call->bias) KERNEL(load)(call->bias + c, lanes, &bias);
    for (int j = 0; j < side; j++)
        KERNEL(output_line)(tile, side, m + (size_t)j * plane, gap, t + j * LANES, line);
    for (int i = 0; i < high; i++, place += row) {
        KERNEL(output_line)(tile, side, t + (size_t)i * line, LANES, results, LANES);
        size_t to = place;
        for (int j = 0; j < wide; j++, to += channels) {
            Lanes value = *(const Lanes *)(results + j * LANES) + bias;
            if (residual) {
                KERNEL(load)(residual + to + c, lanes, &other);
                value += other;
            }
            KERNEL(activate)(call->activation, &value);
            if (mask && mask[to / channels] == 0.0f) value = (Lanes){0};
            KERNEL(store)(y + to, lanes, &value);
        }
    }
}

KERNEL_TARGET static inline void KERNEL(output_tile)(const WinogradCall *call, int tile, int side,
                                                     Spot at, const float *m) {
    size_t plane = (size_t)winograd_padded(call->channels);
    for (int c = 0; c < call->channels; c += LANES) {
        int lanes = call->channels - c < LANES ? call->channels - c : LANES;
        if (lanes == LANES)
            KERNEL(output_lines)(call, tile, side, at, c, LANES, m + c, plane);
        else
            KERNEL(output_lines)(call, tile, side, at, c, lanes, m + c, plane);
    }
}

#define KERNEL_INPUT(name, tile, side, spread)                                                     \
    KERNEL_TARGET static void KERNEL(name)(const WinogradCall *call) {                             \
        size_t elements = (size_t)(call->cut->products * winograd_padded(call->channels));         \
        float *v = call->v;                                                                        \
        for (int t = 0; t < call->count; t++, v += elements) {                                     \
            Spot at = spot_of(call, call->first + t);                                              \
            KERNEL(input_tile)(call, tile, side, spread, at, v);                                   \
        }                                                                                          \
    }
KERNEL_INPUT(input3, 3, 5, false)
KERNEL_INPUT(input4, 4, 6, false)
KERNEL_INPUT(input5, 5, 7, false)
KERNEL_INPUT(input3_5, 3, 7, false)
KERNEL_INPUT(spread3, 3, 5, true)
KERNEL_INPUT(spread4, 4, 6, true)
KERNEL_INPUT(spread5, 5, 7, true)
#undef KERNEL_INPUT

#define KERNEL_OUTPUT(name, tile, side)                                                            \
    KERNEL_TARGET static void KERNEL(name)(const WinogradCall *call) {                             \
        size_t elements = (size_t)(call->cut->products * winograd_padded(call->channels));         \
        const float *m = call->m;                                                                  \
        for (int t = 0; t < call->count; t++, m += elements) {                                     \
            Spot at = spot_of(call, call->first + t);                                              \
            KERNEL(output_tile)(call, tile, side, at, m);                                          \
        }                                                                                          \
    }
KERNEL_OUTPUT(output3, 3, 5)
KERNEL_OUTPUT(output4, 4, 6)
KERNEL_OUTPUT(output5, 5, 7)
KERNEL_OUTPUT(output3_5, 3, 7)
#undef KERNEL_OUTPUT
