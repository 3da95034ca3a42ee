/* How a convolution in int8 runs:
 *   1. pack(), once for all boards: multiply the weights with the scales of the inputs, round them
 *      to int8 with one scale for each output channel, and store them in groups of INT8_LANES
 *      output channels and quads of four input channels. Compute offsets, which add the bias to
 *      each sum and subtract what the zero points of the inputs have added to it.
 *   2. place_board(): copy the board into `bordered`, whose border holds zero points.
 *   3. conv_int8_board(): for each part of a row and one to three groups, sum over taps and quads
 *      in 32 bits (conv_int8_rows.c).
 *   4. Scale the sums, add offset and residual, apply relu, and store floats or int8.
 * With Winograd, int8_winograd_new() does step 1 and int8_winograd_board() steps 3 and 4. */
#include "nn/kernels/conv/conv_int8.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nn/backends/backend.h"
#include "nn/kernels/conv/conv_int8_amx.h"
#include "nn/kernels/conv/conv_int8_rows.h"
#include "nn/kernels/conv/conv_int8_winograd.h"

struct ConvInt8 {
    int height, width, in_channels, out_channels, kernel, groups;
    size_t quads;          /* quads of channels in a cell */
    size_t bordered_width; /* cells in a row of `bordered` */
    size_t bordered_cells;
    /* The board as int8 with a border of zero points. For AMX it has the form of conv_amx.h.
     * Otherwise it has one more row at the bottom and one more column at the right. */
    uint32_t *bordered;
    bool vnni, amx;          /* instructions of a direct convolution; if both are false: plain C */
    AmxShape shape;          /* if amx */
    Int8Winograd *winograd;  /* NULL means direct convolution, with the members below */
    int8_t *weights;         /* (group, tap, quad, lane, 4) */
    float *scales, *offsets; /* (groups * INT8_LANES) */
};

/* Returns a scale for weights whose maximum magnitude is `max`. It tries a few scales and takes the
 * scale with the smallest squared error. Most of these scales are so small that the largest weights
 * are clipped a little, which may reduce the error. */
static float best_scale(const float *weights, size_t count, float max) {
    float best = fmaxf(FLT_MIN, max / 127.0f);
    double min = HUGE_VAL;
    for (int cut = 0; cut < 8; cut++) {
        float scale = fmaxf(FLT_MIN, max * (1.0f - 0.04f * (float)cut) / 127.0f);
        double error = 0.0;
        for (size_t i = 0; i < count; i++) {
            float q = fmaxf(-127.0f, fminf(127.0f, nearbyintf(weights[i] / scale)));
            error += ((double)weights[i] - (double)(q * scale)) *
                     ((double)weights[i] - (double)(q * scale));
        }
        if (error < min) {
            min = error;
            best = scale;
        }
    }
    return best;
}

/* Packs output channel o: multiplies the weights by the scales of their inputs and rounds the
 * products. The offset holds the bias minus what the zero points of the inputs add to a sum.
 * Returns false if one of these products is not finite. `scaled` is scratch for (taps, in). */
static bool pack_channel(ConvInt8 *conv, const ConvInt8Setup *setup, int o, float *scaled) {
    int taps = conv->kernel * conv->kernel, in = conv->in_channels;
    const float *from = setup->weights + (size_t)o * (size_t)(taps * in);
    int8_t *to =
        conv->weights + (size_t)(o / INT8_LANES) * (size_t)taps * conv->quads * (4 * INT8_LANES);
    float max = 0.0f;
    for (int i = 0; i < taps * in; i++) {
        scaled[i] = from[i] * setup->input_scales[i % in];
        if (!isfinite(scaled[i])) return false;
        max = fmaxf(max, fabsf(scaled[i]));
    }
    float scale = best_scale(scaled, (size_t)(taps * in), max);
    double zero = 0.0;
    for (int k = 0; k < taps * in; k++) {
        int i = k % in;
        float q = fmaxf(-127.0f, fminf(127.0f, nearbyintf(scaled[k] / scale)));
        size_t quad = (size_t)(k / in) * conv->quads + (size_t)(i / 4);
        to[(quad * INT8_LANES + (size_t)(o % INT8_LANES)) * 4 + (size_t)(i % 4)] = (int8_t)q;
        zero += (double)q * (double)setup->input_zero_points[i];
    }
    conv->scales[o] = scale;
    conv->offsets[o] =
        (float)((double)(setup->bias ? setup->bias[o] : 0.0f) - zero * (double)scale);
    return true;
}

static Status pack(ConvInt8 *conv, const ConvInt8Setup *setup, Error *err) {
    size_t taps = (size_t)(conv->kernel * conv->kernel),
           padded = (size_t)(conv->groups * INT8_LANES);
    float *scaled = NULL;
    Status status = mem_new_aligned(padded * taps * conv->quads, 4, &conv->weights, err);
    if (!status) status = mem_new_aligned(padded, sizeof(float), &conv->scales, err);
    if (!status) status = mem_new_aligned(padded, sizeof(float), &conv->offsets, err);
    if (!status) status = mem_new(taps * (size_t)conv->in_channels, sizeof *scaled, &scaled, err);
    for (int o = 0; !status && o < conv->out_channels; o++) {
        if (!pack_channel(conv, setup, o, scaled))
            status =
                fail(err, ERR_ARGUMENT, "int8: weights of output channel %d are not finite", o);
    }
    free(scaled);
    return status;
}

static Status check(const ConvInt8Setup *setup, Error *err) {
    if (setup->kernel % 2 == 0 ||
        setup->in_channels > CONV_INT8_DEPTH_MAX / (setup->kernel * setup->kernel))
        return fail(err, ERR_UNSUPPORTED,
                    "a convolution of %d x %d over %d channels cannot run in int8", setup->kernel,
                    setup->kernel, setup->in_channels);
    for (int o = 0; setup->bias && o < setup->out_channels; o++) {
        if (!isfinite(setup->bias[o]))
            return fail(err, ERR_ARGUMENT, "int8: the bias of output channel %d is not finite", o);
    }
    return OK;
}

/* Fills the whole of `bordered` with zero points. Later, each board overwrites only the inside. */
static void fill_border(ConvInt8 *conv, const uint8_t *zero_points) {
    uint8_t *to = (uint8_t *)conv->bordered;
    for (size_t cell = 0; cell < conv->bordered_cells; cell++, to += 4 * conv->quads)
        memcpy(to, zero_points, (size_t)conv->in_channels);
}

static AmxShape shape_of(const ConvInt8Setup *setup) {
    size_t quads = (size_t)(setup->in_channels + 3) / 4;
    return (AmxShape){.height = setup->height,
                      .width = setup->width,
                      .kernel = setup->kernel,
                      .units = quads,
                      .bordered_row =
                          (size_t)amx_bordered_width(setup->width, setup->kernel) * quads};
}

bool conv_int8_is_fast_directly(const ConvInt8Setup *setup) {
    AmxShape shape = shape_of(setup);
    return amx_shape_init(&shape);
}

Status conv_int8_new(const ConvInt8Setup *setup, ConvInt8 **out, Error *err) {
    ConvInt8 *conv;
    *out = NULL;
    Status status = check(setup, err);
    if (!status) status = mem_new(1, sizeof *conv, &conv, err);
    if (status) return status;
    *conv = (ConvInt8){.height = setup->height,
                       .width = setup->width,
                       .in_channels = setup->in_channels,
                       .out_channels = setup->out_channels,
                       .kernel = setup->kernel,
                       .groups = (setup->out_channels + INT8_LANES - 1) / INT8_LANES,
                       .quads = (size_t)(setup->in_channels + 3) / 4,
                       .vnni = backend_isa() >= ISA_AVX512_VNNI};
    bool winograd = setup->winograd && int8_winograd_can(setup);
    conv->shape = shape_of(setup);
    conv->amx = !winograd && amx_shape_init(&conv->shape);
    conv->bordered_width = (size_t)(setup->width + setup->kernel);
    conv->bordered_cells = (size_t)(setup->height + setup->kernel) * conv->bordered_width;
    if (conv->amx) {
        conv->bordered_width = (size_t)amx_bordered_width(setup->width, setup->kernel);
        conv->bordered_cells = amx_bordered_cells(setup->height, setup->width, setup->kernel);
    }
    status = mem_new_aligned(conv->bordered_cells * conv->quads, sizeof *conv->bordered,
                             &conv->bordered, err);
    if (!status && winograd)
        status = int8_winograd_new(setup, &conv->winograd, err);
    else if (!status)
        status = pack(conv, setup, err);
    if (status) {
        conv_int8_free(conv);
        return status;
    }
    fill_border(conv, setup->input_zero_points);
    *out = conv;
    return OK;
}

void conv_int8_free(ConvInt8 *conv) {
    if (!conv) return;
    int8_winograd_free(conv->winograd);
    free(conv->bordered);
    free(conv->weights);
    free(conv->scales);
    free(conv->offsets);
    free(conv);
}

static void place_board(ConvInt8 *conv, const uint8_t *x) {
    size_t in = (size_t)conv->in_channels, edge = (size_t)(conv->kernel / 2),
           width = (size_t)conv->width;
    for (size_t r = 0; r < (size_t)conv->height; r++) {
        uint8_t *to =
            (uint8_t *)(conv->bordered + ((r + edge) * conv->bordered_width + edge) * conv->quads);
        if (in == 4 * conv->quads) {
            memcpy(to, x, width * in);
            x += width * in;
            continue;
        }
        for (size_t c = 0; c < width; c++, x += in, to += 4 * conv->quads)
            memcpy(to, x, in);
    }
}

/* Computes a board by rows, with AVX-512 or in plain C. Groups of output channels run three at a
 * time, except that the last four run as two and two. Long rows are cut into parts of about equal
 * length. */
static void run_rows(const ConvInt8 *conv, const Int8Row *first) {
    size_t group = first->group;
    for (int g = 0; g < conv->groups;) {
        int wide = conv->groups - g < INT8_GROUPS_MAX ? conv->groups - g : INT8_GROUPS_MAX;
        if (conv->groups - g == 4) wide = 2;
        int max = wide == INT8_GROUPS_MAX ? INT8_CELLS_MAX_WIDE : INT8_CELLS_MAX,
            parts = (conv->width + max - 1) / max, each = (conv->width + parts - 1) / parts;
        Int8Row row = *first;
        row.wide = wide;
        row.weights += (size_t)g * group;
        row.scales += g * INT8_LANES;
        row.offsets += g * INT8_LANES;
        row.left -= g * INT8_LANES;
        for (int r = 0; r < conv->height; r++) {
            for (int c = 0; c < conv->width; c += each) {
                row.bordered =
                    conv->bordered + ((size_t)r * conv->bordered_width + (size_t)c) * conv->quads;
                row.count = conv->width - c < each ? conv->width - c : each;
                row.at = (size_t)(r * conv->width + c) * (size_t)conv->out_channels +
                         (size_t)(g * INT8_LANES);
                (conv->vnni ? int8_row_vnni : int8_row_plain)(&row);
            }
        }
        g += wide;
    }
}

void conv_int8_board(ConvInt8 *conv, const ConvInt8Call *call) {
    place_board(conv, call->x);
    if (conv->winograd) {
        int8_winograd_board(conv->winograd, (const uint8_t *)conv->bordered, conv->bordered_width,
                            call);
        return;
    }
    const Int8Row first = {.bordered = conv->bordered,
                           .quads = conv->quads,
                           .bordered_row = conv->bordered_width * conv->quads,
                           .kernel_h = conv->kernel,
                           .kernel_w = conv->kernel,
                           .weights = (const uint32_t *)conv->weights,
                           .group =
                               (size_t)(conv->kernel * conv->kernel) * conv->quads * INT8_LANES,
                           .scales = conv->scales,
                           .offsets = conv->offsets,
                           .call = call,
                           .stride = conv->out_channels,
                           .left = conv->out_channels};
    if (conv->amx)
        int8_board_amx(&first, &conv->shape);
    else
        run_rows(conv, &first);
}
