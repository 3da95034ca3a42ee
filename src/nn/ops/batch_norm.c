/* y = (x - mean) / sqrt(variance + epsilon) * gamma + beta, statistics over all cells on the mask
 * of the batch, or all samples of a vector (Ioffe and Szegedy 2015); off the board the same formula
 * holds, and a mask follows. running = momentum * running + (1 - momentum) * batch. */
#include <math.h>
#include <string.h>

#include "nn/op.h"

static size_t saved(const Op *op, int n, int cells) {
    (void)n;
    (void)cells;
    return 2 * (size_t)op->channels; /* mean, 1 / deviation */
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

static void forward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    float *mean = call->saved, *inverse = call->saved + channels, momentum = call->op->momentum;
    if (call->training) {
        measure(call, mean, inverse);
        for (size_t c = 0; call->running[0] && c < channels; c++) {
            call->running[0][c] = momentum * call->running[0][c] + (1 - momentum) * mean[c];
            call->running[1][c] = momentum * call->running[1][c] + (1 - momentum) * inverse[c];
        }
    } else {
        memcpy(mean, call->parameters[2], channels * sizeof *mean);
        memcpy(inverse, call->parameters[3], channels * sizeof *inverse);
    }
    for (size_t c = 0; c < channels; c++)
        inverse[c] = 1 / sqrtf(inverse[c] + call->op->epsilon);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++) {
            float normal = (call->x[0][r * channels + c] - mean[c]) * inverse[c];
            call->y[r * channels + c] = normal * call->parameters[0][c] + call->parameters[1][c];
        }
    }
}

/* Sums over the batch of dy and of dy times the normalised x, by channel, while training the
 * statistics depend on x. */
static void backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    const float *mean = call->saved, *inverse = call->saved + channels;
    float total = total_weight(call);
    for (size_t c = 0; c < channels; c++) {
        double sum = 0, product = 0;
        for (size_t r = 0; r < rows; r++) {
            float dy = call->dy[r * channels + c];
            sum += (double)dy;
            product += (double)(dy * (call->x[0][r * channels + c] - mean[c]) * inverse[c]);
        }
        if (call->gradients[1]) call->gradients[1][c] += (float)sum;
        if (call->gradients[0]) call->gradients[0][c] += (float)product;
        float gain = call->parameters[0][c] * inverse[c];
        for (size_t r = 0; call->dx[0] && r < rows; r++) {
            float normal = (call->x[0][r * channels + c] - mean[c]) * inverse[c];
            float through =
                call->training ? weight_of(call, r) / total * ((float)sum + normal * (float)product)
                               : 0;
            float *dx = &call->dx[0][r * channels + c];
            *dx = (call->first[0] ? 0 : *dx) + gain * (call->dy[r * channels + c] - through);
        }
    }
}

const OpClass OP_CLASS_BATCH_NORM = {forward, backward, saved};
