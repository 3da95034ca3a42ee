/* Pools over the cells on the mask. Two kinds have the mean, the mean scaled by the size of the
 * board, and the maximum or a second scaling (Wu 2019, section 3.3; op_kinds.h has the formulas).
 * The other kinds have only the mean, the mean and the maximum, or these two and the standard
 * deviation (GoNN). Forward keeps the cell of each maximum for backward. The slope of the standard
 * deviation s of A cells with the mean m is
 *     ds / dx = (x - m) / (A s) */
#include <float.h>
#include <math.h>

#include "nn/ops/op.h"

/* Pooling gives `count` values for each channel. The value at index 0 is the mean. `maximum` and
 * `deviation` are the indices of the maximum and of the standard deviation, or -1 if there is none.
 * `scaled` says whether the remaining values are scaled means. */
typedef struct {
    int count, maximum, deviation;
    bool scaled;
} Pools;

static const Pools POOLS[] = {[POOL_MEAN_SCALE_MAX] = {3, 2, -1, true},
                              [POOL_MEAN_SCALE_SCALE] = {3, -1, -1, true},
                              [POOL_MEAN_MAX] = {2, 1, -1, false},
                              [POOL_MEAN] = {1, -1, -1, false},
                              [POOL_MEAN_MAX_STDEV] = {3, 1, 2, false}};

static size_t saved(const Op *op, int n, int cells) {
    (void)cells;
    return (size_t)n * (size_t)(op->channels / POOLS[op->pool].count);
}

/* The factors by which pooling multiplies. The sum of a channel times `mean` is the mean of the
 * channel. This mean times `second` is the first scaled mean, and times `third` the second one. */
typedef struct {
    float mean, second, third; /* `third` is 0 unless the value at index 2 is a scaled mean */
} Factors;

static Factors factors_of(PoolKind kind, float area) {
    float offset = sqrtf(area) - 14;
    return (Factors){1 / area, offset * 0.1f,
                     kind == POOL_MEAN_SCALE_SCALE ? offset * offset * 0.01f - 0.1f : 0};
}

OP_LOOP static void pool_cell(size_t channels, float cell, const float *restrict x,
                              float *restrict sum, float *restrict max, float *restrict place) {
    for (size_t c = 0; c < channels; c++) {
        float value = x[c], best = max[c], where = place[c];
        sum[c] += value;
        place[c] = value > best ? cell : where;
        max[c] = value > best ? value : best;
    }
}

OP_LOOP static void spread_mean(size_t channels, float factor, const float *restrict dy,
                                float *restrict dx) {
    for (size_t c = 0; c < channels; c++)
        dx[c] += factor * dy[c];
}

OP_LOOP static void spread(size_t channels, Factors f, const float *restrict dy,
                           float *restrict dx) {
    for (size_t c = 0; c < channels; c++)
        dx[c] += f.mean * (dy[c] + f.second * dy[channels + c] + f.third * dy[2 * channels + c]);
}

/* Computes sums and, unless `max` is NULL, maxima of one sample, cell by cell. `place` gets the
 * cell of each maximum, or -1 if no cell is on the mask or `max` is NULL. */
static void gather(const OpCall *call, size_t b, float *sum, float *max, float *place) {
    size_t cells = (size_t)call->in_rows, channels = (size_t)call->in_channels[0];
    for (size_t c = 0; c < channels; c++) {
        sum[c] = 0;
        place[c] = -1;
        if (max) max[c] = -FLT_MAX;
    }
    for (size_t r = 0; r < cells; r++) {
        const float *x = call->x[0] + (b * cells + r) * channels;
        if (call->mask[b * cells + r] == 0) continue;
        if (max)
            pool_cell(channels, (float)r, x, sum, max, place);
        else
            op_add_scaled(channels, 1, x, sum);
    }
}

OP_LOOP static void add_squares(size_t channels, const float *restrict x,
                                const float *restrict mean, float *restrict sum) {
    for (size_t c = 0; c < channels; c++)
        sum[c] += (x[c] - mean[c]) * (x[c] - mean[c]);
}

/* Computes the standard deviations of sample `b` from the means. */
static void find_deviations(const OpCall *call, size_t b, const float *mean, float *deviation) {
    size_t cells = (size_t)call->in_rows, channels = (size_t)call->in_channels[0];
    for (size_t c = 0; c < channels; c++)
        deviation[c] = 0;
    for (size_t r = 0; r < cells; r++) {
        if (call->mask[b * cells + r] != 0)
            add_squares(channels, call->x[0] + (b * cells + r) * channels, mean, deviation);
    }
    for (size_t c = 0; c < channels; c++)
        deviation[c] = sqrtf(deviation[c] / call->area[b] + POOL_STDEV_EPSILON);
}

OP_LOOP static void spread_deviation(size_t channels, float factor, const float *restrict x,
                                     const float *restrict mean, const float *restrict deviation,
                                     const float *restrict dy, float *restrict dx) {
    for (size_t c = 0; c < channels; c++)
        dx[c] += factor * dy[c] * (x[c] - mean[c]) / deviation[c];
}

static void forward(const OpCall *call) {
    size_t channels = (size_t)call->in_channels[0];
    const Pools pools = POOLS[call->op->pool];
    for (size_t b = 0; b < (size_t)call->n; b++) {
        Factors f = factors_of(call->op->pool, call->area[b]);
        float *y = call->y + b * (size_t)pools.count * channels,
              *place = call->saved + b * channels;
        float *max = pools.maximum < 0 ? NULL : y + (size_t)pools.maximum * channels;
        gather(call, b, y, max, place);
        for (size_t c = 0; c < channels; c++) {
            float mean = y[c] * f.mean;
            y[c] = mean;
            if (pools.scaled) y[channels + c] = mean * f.second;
            if (pools.scaled && !max) y[2 * channels + c] = mean * f.third;
            if (max && place[c] < 0) max[c] = 0;
        }
        if (pools.deviation >= 0)
            find_deviations(call, b, y, y + (size_t)pools.deviation * channels);
    }
}

static void backward(const OpCall *call) {
    if (!call->dx[0]) return;
    size_t cells = (size_t)call->in_rows, channels = (size_t)call->in_channels[0];
    const Pools pools = POOLS[call->op->pool];
    op_begin_gradient(call, 0);
    for (size_t b = 0; b < (size_t)call->n; b++) {
        Factors f = factors_of(call->op->pool, call->area[b]);
        size_t first = b * (size_t)pools.count * channels,
               deviation = (size_t)(pools.deviation < 0 ? 0 : pools.deviation) * channels;
        const float *y = call->y + first, *dy = call->dy + first,
                    *place = call->saved + b * channels,
                    *dmax = pools.maximum < 0 ? NULL : dy + (size_t)pools.maximum * channels;
        for (size_t r = 0; r < cells; r++) {
            float *dx = call->dx[0] + (b * cells + r) * channels;
            if (call->mask[b * cells + r] == 0) continue;
            if (pools.scaled)
                spread(channels, f, dy, dx);
            else
                spread_mean(channels, f.mean, dy, dx);
            if (deviation)
                spread_deviation(channels, f.mean, call->x[0] + (b * cells + r) * channels, y,
                                 y + deviation, dy + deviation, dx);
        }
        for (size_t c = 0; dmax && c < channels; c++) {
            if (place[c] >= 0)
                call->dx[0][(b * cells + (size_t)place[c]) * channels + c] += dmax[c];
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    (void)parameters;
    if (op->shape != KIND_SPATIAL) return "only spatial values are pooled";
    if (op->channels > OP_CHANNELS_MAX / 3) return "too many channels for pooling";
    if ((unsigned)op->pool > POOL_MEAN_MAX_STDEV) return "an unknown pooling";
    op->shape = KIND_VECTOR;
    op->channels *= POOLS[op->pool].count;
    return NULL;
}

static const char *const WORDS[] = {[POOL_MEAN_SCALE_MAX] = "mean_scale_max",
                                    [POOL_MEAN_SCALE_SCALE] = "mean_scale_scale",
                                    [POOL_MEAN_MAX] = "mean_max",
                                    [POOL_MEAN] = "mean",
                                    [POOL_MEAN_MAX_STDEV] = "mean_max_stdev",
                                    NULL};
static const OpField FIELDS[] = {OP_FIELD_ENUM("pool", pool, WORDS), {0}};

const OpClass OP_CLASS_GLOBAL_POOL = {.word = "global_pool",
                                      .phrase = "pooling over the board",
                                      .fixed_name = "pool",
                                      .inputs = 1,
                                      .fields = FIELDS,
                                      .shape = shape,
                                      .saved = saved,
                                      .forward = forward,
                                      .backward = backward};
