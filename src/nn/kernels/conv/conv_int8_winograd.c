/* How a board runs:
 *   1. int8_transform_input(): transform the rows of the bordered board: each four cells of a tile
 *      become four int8 values, which are called places (conv_int8_transform.h).
 *   2. multiply(): for some tiles at a time, compute a 3 x 1 convolution at each place, with the
 *      functions of conv_int8_rows.h.
 *   3. int8_transform_output(): transform the results of the four places back to two cells, and
 *      store them. */
#include "nn/kernels/conv/conv_int8_winograd.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "nn/backends/backend.h"
#include "nn/kernels/conv/conv_int8_rows.h"
#include "nn/kernels/conv/conv_int8_transform.h"

struct Int8Winograd {
    int in, out, groups;
    bool vnni;
    Int8Transform transform;
    size_t quads;
    size_t plane;            /* bytes of the transformed inputs of one place */
    int8_t *weights;         /* (place, group, 3, quad, lane, 4) */
    float *scales, *offsets; /* (place, padded) */
    uint8_t *v;              /* (place, height + 2, across, in) */
    float *m;                /* (place, INT8_TILE_BLOCK, padded) */
};

bool int8_winograd_can(const ConvInt8Setup *setup) {
    return setup->kernel == 3 && setup->in_channels % INT8_INPUT_LANES == 0 &&
           setup->out_channels >= 16;
}

static const double G[INT8_PLACES][3] = {
    {1.0, 0.0, 0.0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0.0, 0.0, 1.0}};

/* Transforms one row of a kernel, and returns the element at one place. */
static double transformed(int place, size_t in, const float *weights) {
    double sum = 0.0;
    for (size_t a = 0; a < 3; a++)
        sum += G[place][a] * (double)weights[a * in];
    return sum;
}

/* Packs the weights of one place and one output channel. It transforms them, multiplies them by the
 * scales of the inputs, and divides them by the scale of the transform. Then it rounds them with
 * one scale, which only these weights use. Returns false if a result is not finite. `row` is
 * scratch for (3, in). */
static bool pack(Int8Winograd *winograd, const ConvInt8Setup *setup, int place, int o, float *row) {
    size_t in = (size_t)setup->in_channels, padded = (size_t)(winograd->groups * INT8_LANES);
    size_t group = (size_t)(place * winograd->groups + o / INT8_LANES) * 3 * winograd->quads;
    const float *weights = setup->weights + (size_t)o * 9 * in;
    float max = 0.0f, transform_scale = (float)int8_transform_scale(place) / 32768.0f;
    for (size_t k = 0; k < 3 * in; k++) {
        double value = transformed(place, in, weights + k / in * 3 * in + k % in);
        row[k] = (float)(value * (double)setup->input_scales[k % in]) / transform_scale;
        if (!isfinite(row[k])) return false;
        max = fmaxf(max, fabsf(row[k]));
    }
    float scale = fmaxf(FLT_MIN, max / 127.0f);
    int sum = 0;
    for (size_t k = 0; k < 3 * in; k++) {
        int q = (int)nearbyintf(row[k] / scale);
        winograd->weights[((group + k / 4) * INT8_LANES + (size_t)o % INT8_LANES) * 4 + k % 4] =
            (int8_t)q;
        sum += q * (place == 1 ? setup->input_zero_points[k % in] : INT8_TRANSFORM_ZERO);
    }
    winograd->scales[(size_t)place * padded + (size_t)o] = scale;
    winograd->offsets[(size_t)place * padded + (size_t)o] = -(float)sum * scale;
    return true;
}

static Status pack_all(Int8Winograd *winograd, const ConvInt8Setup *setup, Error *err) {
    float *row;
    Status status = mem_new(3 * (size_t)setup->in_channels, sizeof *row, &row, err);
    for (int k = 0; !status && k < INT8_PLACES * setup->out_channels; k++) {
        int o = k % setup->out_channels;
        if (!pack(winograd, setup, k / setup->out_channels, o, row))
            status = fail(err, ERR_ARGUMENT,
                          "int8: the scaled weights of output channel %d are not finite", o);
    }
    free(row);
    return status;
}

Status int8_winograd_new(const ConvInt8Setup *setup, Int8Winograd **out, Error *err) {
    Int8Winograd *winograd;
    *out = NULL;
    Status status = mem_new(1, sizeof *winograd, &winograd, err);
    if (status) return status;
    size_t in = (size_t)setup->in_channels;
    int groups = (setup->out_channels + INT8_LANES - 1) / INT8_LANES;
    size_t padded = (size_t)(groups * INT8_LANES);
    *winograd = (Int8Winograd){.in = setup->in_channels,
                               .out = setup->out_channels,
                               .groups = groups,
                               .vnni = backend_isa() >= ISA_AVX512_VNNI,
                               .quads = in / 4};
    winograd->transform = (Int8Transform){.height = setup->height,
                                          .width = setup->width,
                                          .across = (setup->width + 1) / 2,
                                          .in = setup->in_channels,
                                          .out = setup->out_channels,
                                          .padded = (int)padded,
                                          .fast = winograd->vnni};
    winograd->plane = (size_t)(setup->height + 2) * (size_t)winograd->transform.across * in;
    status = mem_new_aligned(INT8_PLACES * padded * 3 * in, 1, &winograd->weights, err);
    if (!status)
        status = mem_new_aligned(INT8_PLACES * padded, sizeof(float), &winograd->scales, err);
    if (!status)
        status = mem_new_aligned(INT8_PLACES * padded, sizeof(float), &winograd->offsets, err);
    if (!status) status = mem_new_aligned(INT8_PLACES * winograd->plane, 1, &winograd->v, err);
    if (!status)
        status = mem_new_aligned(INT8_PLACES * INT8_TILE_BLOCK * padded, sizeof(float),
                                 &winograd->m, err);
    if (!status) status = mem_new_aligned(padded, sizeof(float), &winograd->transform.bias, err);
    if (!status) status = mem_new(in, sizeof(int16_t), &winograd->transform.zero_points, err);
    if (!status) status = pack_all(winograd, setup, err);
    for (int o = 0; !status && setup->bias && o < setup->out_channels; o++)
        winograd->transform.bias[o] = setup->bias[o];
    for (size_t i = 0; !status && i < in; i++)
        winograd->transform.zero_points[i] = setup->input_zero_points[i];
    if (status)
        int8_winograd_free(winograd);
    else
        *out = winograd;
    return status;
}

void int8_winograd_free(Int8Winograd *winograd) {
    if (!winograd) return;
    free(winograd->weights);
    free(winograd->scales);
    free(winograd->offsets);
    free(winograd->v);
    free(winograd->m);
    free(winograd->transform.bias);
    free(winograd->transform.zero_points);
    free(winograd);
}

/* Cuts `all` into as few parts as possible of at most `max` each. All parts are equal, except that
 * the last one may be smaller. Returns the size of the first part. */
static int part(int all, int max) {
    int parts = (all + max - 1) / max;
    return (all + parts - 1) / parts;
}

/* Computes m = v times the weights of one place, for the tiles first .. first + count - 1. The rows
 * of v lie one after another without gaps, so the tiles of one call may extend over several
 * rows. */
static void multiply(Int8Winograd *winograd, int place, int first, int count) {
    size_t padded = (size_t)(winograd->groups * INT8_LANES), quads = winograd->quads,
           group = 3 * quads * INT8_LANES;
    const uint32_t *v =
        (const uint32_t *)(winograd->v + (size_t)place * winograd->plane) + (size_t)first * quads;
    const ConvInt8Call call = {.y = winograd->m + (size_t)place * INT8_TILE_BLOCK * padded};
    int each = part(count, INT8_CELLS_MAX_WIDE);
    for (int g = 0, wide; g < winograd->groups; g += wide) {
        int left = winograd->groups - g;
        wide = left == 4 ? 2 : left < INT8_GROUPS_MAX ? left : INT8_GROUPS_MAX;
        size_t lanes = (size_t)place * padded + (size_t)(g * INT8_LANES);
        Int8Row row = {.quads = quads,
                       .bordered_row = (size_t)winograd->transform.across * quads,
                       .kernel_h = 3,
                       .kernel_w = 1,
                       .wide = wide,
                       .weights = (const uint32_t *)winograd->weights +
                                  (size_t)(place * winograd->groups + g) * group,
                       .group = group,
                       .scales = winograd->scales + lanes,
                       .offsets = winograd->offsets + lanes,
                       .call = &call,
                       .stride = (int)padded,
                       .plain = true,
                       .left = (int)padded - g * INT8_LANES};
        for (int t = 0; t < count; t += row.count) {
            row.count = count - t < each ? count - t : each;
            row.bordered = v + (size_t)t * quads;
            row.at = (size_t)t * padded + (size_t)(g * INT8_LANES);
            (winograd->vnni ? int8_row_vnni : int8_row_plain)(&row);
        }
    }
}

void int8_winograd_board(Int8Winograd *winograd, const uint8_t *board, size_t stride,
                         const ConvInt8Call *call) {
    int all = winograd->transform.across * winograd->transform.height,
        each = part(all, INT8_TILE_BLOCK);
    int8_transform_input(&winograd->transform, board, stride, winograd->v);
    for (int first = 0; first < all; first += each) {
        int count = all - first < each ? all - first : each;
        for (int place = 0; place < INT8_PLACES; place++)
            multiply(winograd, place, first, count);
        int8_transform_output(&winograd->transform, winograd->m, first, count, call);
    }
}
