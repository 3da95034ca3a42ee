/* Batch norm (Ioffe and Szegedy 2015):
 *     y = (x - mean) / sqrt(variance + epsilon) * gamma + beta
 *     running = momentum * running + (1 - momentum) * batch
 * While training, mean and variance are those of the batch: over all cells on the mask or, for a
 * vector, over all samples that are not padding (OpCall.active). Otherwise they are the running
 * ones. The same formula applies off the board, so the net has a mask after the norm.
 * Batch renorm (Ioffe 2017, "Batch Renormalization", algorithm 1): while training, the normalised
 * value z becomes z * r + d. Within the limits of r and d, this is the value that the running
 * statistics would have given. With s = sqrt(variance + epsilon),
 *     r = s / running s                      in [1 / r_max, r_max]
 *     d = (mean - running mean) / running s  in [-d_max, d_max]
 * where the running statistics are those before this batch. Backward treats r and d as constants.
 * With renorm, the running average is taken of the standard deviation instead of the variance, and
 * the parameter "variance" holds its square. */
#include <math.h>
#include <string.h>

#include "nn/ops/op.h"

enum { GAMMA, BETA, MEAN, VARIANCE, PARAMETERS };

static size_t saved(const Op *op, int n, int cells) {
    (void)n;
    (void)cells;
    return 9 * (size_t)op->channels; /* mean, 1 / s, r, d; then the five Sums of backward */
}

static float weight_of(const OpCall *call, size_t row) {
    return call->op->shape == KIND_SPATIAL ? call->mask[row] : row < (size_t)call->active;
}

static float total_weight(const OpCall *call) {
    float total = 0;
    for (size_t r = 0; r < (size_t)call->n * (size_t)call->rows; r++)
        total += weight_of(call, r);
    return total > 0 ? total : 1;
}

OP_LOOP static void add_squares(size_t count, float factor, const float *restrict x,
                                const float *restrict mean, float *restrict sum) {
    for (size_t c = 0; c < count; c++) {
        float d = x[c] - mean[c];
        sum[c] += factor * d * d;
    }
}

static void measure(const OpCall *call, float *mean, float *variance) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    float total = total_weight(call);
    memset(mean, 0, channels * sizeof *mean);
    memset(variance, 0, channels * sizeof *variance);
    for (size_t r = 0; r < rows; r++) {
        float w = weight_of(call, r) / total;
        op_add_scaled(channels, w, call->x[0] + r * channels, mean);
    }
    for (size_t r = 0; r < rows; r++) {
        float w = weight_of(call, r) / total;
        add_squares(channels, w, call->x[0] + r * channels, mean, variance);
    }
}

static float limited(float value, float min, float max) {
    return value < min ? min : value > max ? max : value;
}

/* Computes r and d from the running statistics before their update. Without renorm, or when not
 * training, r is 1 and d is 0. */
static void renormalise(const OpCall *call, const float *mean, const float *variance, float *r,
                        float *d) {
    float epsilon = call->op->epsilon;
    for (size_t c = 0; c < (size_t)call->op->channels; c++) {
        r[c] = 1;
        d[c] = 0;
        if (!call->op->renorm || !call->training) continue;
        float deviation = sqrtf(call->parameters[VARIANCE][c] + epsilon);
        r[c] = limited(sqrtf(variance[c] + epsilon) / deviation, 1 / call->r_max, call->r_max);
        d[c] =
            limited((mean[c] - call->parameters[MEAN][c]) / deviation, -call->d_max, call->d_max);
    }
}

static void update_running(const OpCall *call, const float *mean, const float *variance) {
    float momentum = call->op->momentum;
    for (size_t c = 0; call->running[MEAN] && c < (size_t)call->op->channels; c++) {
        float *at = &call->running[VARIANCE][c], deviation = sqrtf(*at);
        call->running[MEAN][c] = momentum * call->running[MEAN][c] + (1 - momentum) * mean[c];
        deviation = momentum * deviation + (1 - momentum) * sqrtf(variance[c]);
        *at = call->op->renorm ? deviation * deviation
                               : momentum * *at + (1 - momentum) * variance[c];
    }
}

/* The factors and terms of a norm, one of each for every channel:
 *     y = ((x - mean) * inverse * r + d) * gamma + beta */
typedef struct {
    const float *mean, *inverse, *r, *d, *gamma, *beta;
} Channels;

OP_LOOP static void normalise_row(size_t count, const Channels *by, const float *restrict x,
                                  float *restrict y) {
    const float *mean = by->mean, *inverse = by->inverse, *r = by->r, *d = by->d,
                *gamma = by->gamma, *beta = by->beta;
    for (size_t c = 0; c < count; c++) {
        float normal = (x[c] - mean[c]) * inverse[c] * r[c] + d[c];
        y[c] = normal * gamma[c] + beta[c];
    }
}

static void forward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    float *mean = call->saved, *inverse = mean + channels, *r = inverse + channels,
          *d = r + channels;
    if (call->training) {
        measure(call, mean, inverse);
    } else {
        memcpy(mean, call->parameters[MEAN], channels * sizeof *mean);
        memcpy(inverse, call->parameters[VARIANCE], channels * sizeof *inverse);
    }
    renormalise(call, mean, inverse, r, d);
    if (call->training) update_running(call, mean, inverse);
    for (size_t c = 0; c < channels; c++)
        inverse[c] = 1 / sqrtf(inverse[c] + call->op->epsilon);
    const Channels by = {mean, inverse, r, d, call->parameters[GAMMA], call->parameters[BETA]};
    for (size_t k = 0; k < rows; k++)
        normalise_row(channels, &by, call->x[0] + k * channels, call->y + k * channels);
}

/* For each channel, backward needs two sums over the batch: of dy, and of dy times the normalised
 * x. `some` and `some_products` are the same sums over ROWS_TOGETHER rows; adding up these partial
 * sums loses less by rounding. `gain` is gamma * inverse * r. */
typedef struct {
    float *sum, *product, *some, *some_products, *gain;
} Sums;

enum { ROWS_TOGETHER = 64 };

OP_LOOP static void add_row(size_t count, const float *restrict mean, const float *restrict inverse,
                            const float *restrict x, const float *restrict dy, float *restrict sum,
                            float *restrict product) {
    for (size_t c = 0; c < count; c++) {
        sum[c] += dy[c];
        product[c] += dy[c] * (x[c] - mean[c]) * inverse[c];
    }
}

static void find_sums(const OpCall *call, const float *mean, const float *inverse,
                      const Sums *out) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    memset(out->sum, 0, 4 * channels * sizeof *out->sum);
    for (size_t k = 0; k < rows; k++) {
        add_row(channels, mean, inverse, call->x[0] + k * channels, call->dy + k * channels,
                out->some, out->some_products);
        if ((k + 1) % ROWS_TOGETHER && k + 1 < rows) continue;
        op_add_scaled(channels, 1, out->some, out->sum);
        op_add_scaled(channels, 1, out->some_products, out->product);
        memset(out->some, 0, 2 * channels * sizeof *out->some);
    }
}

/* Adds to dx of one row:
 *     gain * (dy - weight * (sum + normalised x * product))
 * While training, `weight` is the fraction that the row has in the mean of the batch; otherwise it
 * is 0. */
OP_LOOP static void add_slopes(size_t count, float weight, const Channels *by, const Sums *sums,
                               const float *restrict x, const float *restrict dy,
                               float *restrict dx) {
    const float *mean = by->mean, *inverse = by->inverse, *sum = sums->sum,
                *product = sums->product, *gain = sums->gain;
    for (size_t c = 0; c < count; c++) {
        float through = weight * (sum[c] + (x[c] - mean[c]) * inverse[c] * product[c]);
        dx[c] += gain[c] * (dy[c] - through);
    }
}

/* While training, gradients also go through the statistics, which depend on x. */
static void backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    const float *mean = call->saved, *inverse = mean + channels, *r = inverse + channels,
                *d = r + channels;
    float *after = call->saved + 4 * channels, total = total_weight(call);
    const Sums sums = {after, after + channels, after + 2 * channels, after + 3 * channels,
                       after + 4 * channels};
    const Channels by = {.mean = mean, .inverse = inverse};
    find_sums(call, mean, inverse, &sums);
    for (size_t c = 0; c < channels; c++) {
        if (call->gradients[BETA]) call->gradients[BETA][c] += sums.sum[c];
        if (call->gradients[GAMMA])
            call->gradients[GAMMA][c] += sums.product[c] * r[c] + sums.sum[c] * d[c];
        sums.gain[c] = call->parameters[GAMMA][c] * inverse[c] * r[c];
    }
    if (!call->dx[0]) return;
    op_begin_gradient(call, 0);
    for (size_t k = 0; k < rows; k++)
        add_slopes(channels, call->training ? weight_of(call, k) / total : 0, &by, &sums,
                   call->x[0] + k * channels, call->dy + k * channels, call->dx[0] + k * channels);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    if (op->shape == KIND_LIST || !(op->epsilon > 0 && op->epsilon <= 1) ||
        !(op->momentum >= 0 && op->momentum < 1))
        return "a batch norm needs a spatial input or a vector, an epsilon above 0 and at most 1, "
               "and a momentum from 0 to below 1";
    parameters[GAMMA] = (ParameterSpec){.name = "gamma", .trained = !op->fixed, .init = INIT_ONE};
    parameters[BETA] = (ParameterSpec){.name = "beta", .trained = true};
    parameters[MEAN] = (ParameterSpec){.name = "mean"};
    parameters[VARIANCE] = (ParameterSpec){.name = "variance", .init = INIT_ONE};
    for (int i = 0; i < PARAMETERS; i++) {
        parameters[i].rank = 1;
        parameters[i].dims[0] = op->channels;
    }
    return NULL;
}

static const OpField FIELDS[] = {OP_FIELD("epsilon", OP_FIELD_REAL, epsilon),
                                 OP_FIELD("momentum", OP_FIELD_REAL, momentum),
                                 OP_FIELD("renorm", OP_FIELD_RARE, renorm),
                                 OP_FIELD("trained", OP_FIELD_RARE_NOT, fixed),
                                 {0}};

const OpClass OP_CLASS_BATCH_NORM = {.word = "batch_norm",
                                     .phrase = "a batch norm",
                                     .inputs = 1,
                                     .fields = FIELDS,
                                     .statistics = 1U << MEAN | 1U << VARIANCE,
                                     .shape = shape,
                                     .saved = saved,
                                     .forward = forward,
                                     .backward = backward};
