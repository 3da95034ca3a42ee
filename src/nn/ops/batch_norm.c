/* Batch norm (Ioffe and Szegedy 2015):
 *     y = (x - mean) / sqrt(variance + epsilon) * gamma + beta
 *     running = momentum * running + (1 - momentum) * batch
 * The statistics are over all cells on the mask in the batch, or over all samples of a vector. The
 * same formula applies off the board, so the net has a mask after the norm.
 * Batch renorm (Ioffe 2017, "Batch Renormalization", algorithm 1): while training, the normalised
 * value z becomes z * r + d. Within the limits of r and d, this is the value that the running
 * statistics would have given. With s = sqrt(variance + epsilon),
 *     r = s / running s                      in [1 / r_max, r_max]
 *     d = (mean - running mean) / running s  in [-d_max, d_max]
 * where the running statistics are those before this batch. Backward treats r and d as constants.
 * With renorm, the running average is one of deviations, not of variances. */
#include <math.h>
#include <string.h>

#include "nn/ops/op.h"

enum { GAMMA, BETA, MEAN, VARIANCE, PARAMETERS };

static size_t saved(const Op *op, int n, int cells) {
    (void)n;
    (void)cells;
    return 4 * (size_t)op->channels; /* mean, 1 / deviation, r, d */
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

static void measure(const OpCall *call, float *mean, float *variance) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    float total = total_weight(call);
    memset(mean, 0, channels * sizeof *mean);
    memset(variance, 0, channels * sizeof *variance);
    for (size_t r = 0; r < rows; r++) {
        float w = weight_of(call, r) / total;
        for (size_t c = 0; c < channels; c++)
            mean[c] += w * call->x[0][r * channels + c];
    }
    for (size_t r = 0; r < rows; r++) {
        float w = weight_of(call, r) / total;
        for (size_t c = 0; c < channels; c++) {
            float d = call->x[0][r * channels + c] - mean[c];
            variance[c] += w * d * d;
        }
    }
}

static float limited(float value, float min, float max) {
    return value < min ? min : value > max ? max : value;
}

/* Computes r and d from the running statistics before their update. Without renorm, r is 1 and d is
 * 0. */
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
    for (size_t k = 0; k < rows; k++) {
        for (size_t c = 0; c < channels; c++) {
            float normal = (call->x[0][k * channels + c] - mean[c]) * inverse[c] * r[c] + d[c];
            call->y[k * channels + c] =
                normal * call->parameters[GAMMA][c] + call->parameters[BETA][c];
        }
    }
}

/* For each channel, backward needs two sums over the batch: that of dy, and that of dy times the
 * normalised x. While training, gradients also go through the statistics, which depend on x. */
static void backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    const float *mean = call->saved, *inverse = mean + channels, *r = inverse + channels,
                *d = r + channels;
    float total = total_weight(call);
    for (size_t c = 0; c < channels; c++) {
        double sum = 0, product = 0;
        for (size_t k = 0; k < rows; k++) {
            float dy = call->dy[k * channels + c];
            sum += (double)dy;
            product += (double)(dy * (call->x[0][k * channels + c] - mean[c]) * inverse[c]);
        }
        if (call->gradients[BETA]) call->gradients[BETA][c] += (float)sum;
        if (call->gradients[GAMMA])
            call->gradients[GAMMA][c] += (float)(product * (double)r[c] + sum * (double)d[c]);
        float gain = call->parameters[GAMMA][c] * inverse[c] * r[c];
        for (size_t k = 0; call->dx[0] && k < rows; k++) {
            float normal = (call->x[0][k * channels + c] - mean[c]) * inverse[c];
            float through =
                call->training ? weight_of(call, k) / total * ((float)sum + normal * (float)product)
                               : 0;
            float *dx = &call->dx[0][k * channels + c];
            *dx = (call->first[0] ? 0 : *dx) + gain * (call->dy[k * channels + c] - through);
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    if (op->shape == KIND_LIST || !(op->epsilon > 0 && op->epsilon <= 1) ||
        !(op->momentum >= 0 && op->momentum < 1))
        return "an impossible batch norm";
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
