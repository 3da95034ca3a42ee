#include "nn/kernels/conv/conv_bytes_tiles.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "nn/backends/backend.h"
#include "nn/kernels/conv/conv_bytes_rows.h"
#include "nn/kernels/conv/conv_bytes_transform.h"

struct BytesTiles {
    int in, out, groups;
    bool vnni;
    TilesBoard board;
    size_t quads;
    size_t plane;            /* bytes of a place's transformed inputs */
    int8_t *weights;         /* (place, group, 3, quad, lane, 4) */
    float *scales, *offsets; /* (place, padded) */
    uint8_t *v;              /* (place, height + 2, across, in) */
    float *m;                /* (place, TILES_BLOCK, padded) */
};

bool bytes_tiles_can(const ConvBytesSpec *spec) {
    return spec->kernel == 3 && spec->in_channels % TILES_LANES == 0 && spec->out_channels >= 16;
}

static const double G[TILES_PLACES][3] = {
    {1.0, 0.0, 0.0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0.0, 0.0, 1.0}};

/* Of one row of a kernel. */
static double transformed(int place, size_t in, const float *weights) {
    double sum = 0.0;
    for (size_t a = 0; a < 3; a++)
        sum += G[place][a] * (double)weights[a * in];
    return sum;
}

/* One place and output channel: rounded by its own step, inputs' steps and rates within. False: a
 * weight is not finite. `row`: (3, in), scratch. */
static bool pack(BytesTiles *tiles, const ConvBytesSpec *spec, int place, int o, float *row) {
    size_t in = (size_t)spec->in_channels, padded = (size_t)(tiles->groups * BYTES_LANES);
    size_t group = (size_t)(place * tiles->groups + o / BYTES_LANES) * 3 * tiles->quads;
    const float *weights = spec->weights + (size_t)o * 9 * in;
    float max = 0.0f, rate = (float)tiles_rate(place) / 32768.0f;
    for (size_t k = 0; k < 3 * in; k++) {
        double value = transformed(place, in, weights + k / in * 3 * in + k % in);
        row[k] = (float)(value * (double)spec->steps[k % in]) / rate;
        if (!isfinite(row[k])) return false;
        max = fmaxf(max, fabsf(row[k]));
    }
    float step = fmaxf(FLT_MIN, max / 127.0f);
    int sum = 0;
    for (size_t k = 0; k < 3 * in; k++) {
        int q = (int)nearbyintf(row[k] / step);
        tiles->weights[((group + k / 4) * BYTES_LANES + (size_t)o % BYTES_LANES) * 4 + k % 4] =
            (int8_t)q;
        sum += q * (place == 1 ? spec->zeros[k % in] : TILES_ZERO);
    }
    tiles->scales[(size_t)place * padded + (size_t)o] = step;
    tiles->offsets[(size_t)place * padded + (size_t)o] = -(float)sum * step;
    return true;
}

static Status pack_all(BytesTiles *tiles, const ConvBytesSpec *spec, Error *err) {
    float *row;
    Status status = mem_new(3 * (size_t)spec->in_channels, sizeof *row, &row, err);
    for (int k = 0; !status && k < TILES_PLACES * spec->out_channels; k++) {
        int o = k % spec->out_channels;
        if (!pack(tiles, spec, k / spec->out_channels, o, row))
            status =
                fail(err, ERR_ARGUMENT, "int8: weights of output channel %d are not finite", o);
    }
    free(row);
    return status;
}

Status bytes_tiles_new(const ConvBytesSpec *spec, BytesTiles **out, Error *err) {
    BytesTiles *tiles;
    *out = NULL;
    Status status = mem_new(1, sizeof *tiles, &tiles, err);
    if (status) return status;
    size_t in = (size_t)spec->in_channels;
    int groups = (spec->out_channels + BYTES_LANES - 1) / BYTES_LANES;
    size_t padded = (size_t)(groups * BYTES_LANES);
    *tiles = (BytesTiles){.in = spec->in_channels,
                          .out = spec->out_channels,
                          .groups = groups,
                          .vnni = backend_isa() >= ISA_AVX512_VNNI,
                          .quads = in / 4};
    tiles->board = (TilesBoard){.height = spec->height,
                                .width = spec->width,
                                .across = (spec->width + 1) / 2,
                                .in = spec->in_channels,
                                .out = spec->out_channels,
                                .padded = (int)padded,
                                .fast = tiles->vnni};
    tiles->plane = (size_t)(spec->height + 2) * (size_t)tiles->board.across * in;
    status = mem_new_aligned(TILES_PLACES * padded * 3 * in, 1, &tiles->weights, err);
    if (!status)
        status = mem_new_aligned(TILES_PLACES * padded, sizeof(float), &tiles->scales, err);
    if (!status)
        status = mem_new_aligned(TILES_PLACES * padded, sizeof(float), &tiles->offsets, err);
    if (!status) status = mem_new_aligned(TILES_PLACES * tiles->plane, 1, &tiles->v, err);
    if (!status)
        status =
            mem_new_aligned(TILES_PLACES * TILES_BLOCK * padded, sizeof(float), &tiles->m, err);
    if (!status) status = mem_new_aligned(padded, sizeof(float), &tiles->board.bias, err);
    if (!status) status = mem_new(in, sizeof(int16_t), &tiles->board.zeros, err);
    if (!status) status = pack_all(tiles, spec, err);
    for (int o = 0; !status && spec->bias && o < spec->out_channels; o++)
        tiles->board.bias[o] = spec->bias[o];
    for (size_t i = 0; !status && i < in; i++)
        tiles->board.zeros[i] = spec->zeros[i];
    if (status)
        bytes_tiles_free(tiles);
    else
        *out = tiles;
    return status;
}

void bytes_tiles_free(BytesTiles *tiles) {
    if (!tiles) return;
    free(tiles->weights);
    free(tiles->scales);
    free(tiles->offsets);
    free(tiles->v);
    free(tiles->m);
    free(tiles->board.bias);
    free(tiles->board.zeros);
    free(tiles);
}

/* Of `all` in equal parts of at most `most`. */
static int part(int all, int max) {
    int parts = (all + max - 1) / max;
    return (all + parts - 1) / parts;
}

/* m = v times the weights of one place, `count` tiles of the board from `first`: rows of v lie as
 * tiles do, so that one may go on into the next. */
static void multiply(BytesTiles *tiles, int place, int first, int count) {
    size_t padded = (size_t)(tiles->groups * BYTES_LANES), quads = tiles->quads,
           group = 3 * quads * BYTES_LANES;
    const uint32_t *v =
        (const uint32_t *)(tiles->v + (size_t)place * tiles->plane) + (size_t)first * quads;
    const ConvBytesCall call = {.y = tiles->m + (size_t)place * TILES_BLOCK * padded};
    int each = part(count, BYTES_MAX_WIDE);
    for (int g = 0, wide; g < tiles->groups; g += wide) {
        int left = tiles->groups - g;
        wide = left == 4 ? 2 : left < BYTES_WIDE ? left : BYTES_WIDE;
        size_t lanes = (size_t)place * padded + (size_t)(g * BYTES_LANES);
        BytesRow row = {.quads = quads,
                        .tile_row = (size_t)tiles->board.across * quads,
                        .kernel_h = 3,
                        .kernel_w = 1,
                        .wide = wide,
                        .weights = (const uint32_t *)tiles->weights +
                                   (size_t)(place * tiles->groups + g) * group,
                        .group = group,
                        .scales = tiles->scales + lanes,
                        .offsets = tiles->offsets + lanes,
                        .call = &call,
                        .stride = (int)padded,
                        .plain = true,
                        .left = (int)padded - g * BYTES_LANES};
        for (int t = 0; t < count; t += row.count) {
            row.count = count - t < each ? count - t : each;
            row.tile = v + (size_t)t * quads;
            row.at = (size_t)t * padded + (size_t)(g * BYTES_LANES);
            (tiles->vnni ? bytes_row_vnni : bytes_row_plain)(&row);
        }
    }
}

void bytes_tiles_board(BytesTiles *tiles, const uint8_t *board, size_t stride,
                       const ConvBytesCall *call) {
    int all = tiles->board.across * tiles->board.height, each = part(all, TILES_BLOCK);
    tiles_input(&tiles->board, board, stride, tiles->v);
    for (int first = 0; first < all; first += each) {
        int count = all - first < each ? all - first : each;
        for (int place = 0; place < TILES_PLACES; place++)
            multiply(tiles, place, first, count);
        tiles_output(&tiles->board, tiles->m, first, count, call);
    }
}
