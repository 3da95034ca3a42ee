/* Concatenated ReLU (Shang et al. 2016, "Understanding and Improving Convolutional Neural Networks
 * via Concatenated Rectified Linear Units", definition 2.1): the output has twice the channels of
 * the input. For each row,
 *     y[c] = max(x[c], 0),   y[channels + c] = max(-x[c], 0) */
#include "nn/ops/op.h"

OP_LOOP static void split(size_t rows, size_t channels, const float *restrict x,
                          float *restrict y) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++) {
            float value = x[r * channels + c];
            y[2 * r * channels + c] = value > 0 ? value : 0;
            y[(2 * r + 1) * channels + c] = value < 0 ? -value : 0;
        }
    }
}

OP_LOOP static void join(size_t rows, size_t channels, const float *restrict x,
                         const float *restrict dy, float *restrict dx, bool add) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++) {
            float value = x[r * channels + c], above = dy[2 * r * channels + c],
                  below = dy[(2 * r + 1) * channels + c],
                  slope = value > 0   ? above
                          : value < 0 ? -below
                                      : 0;
            dx[r * channels + c] = (add ? dx[r * channels + c] : 0) + slope;
        }
    }
}

static void forward(const OpCall *call) {
    split((size_t)call->n * (size_t)call->rows, (size_t)call->in_channels[0], call->x[0], call->y);
}

static void backward(const OpCall *call) {
    if (!call->dx[0]) return;
    join((size_t)call->n * (size_t)call->rows, (size_t)call->in_channels[0], call->x[0], call->dy,
         call->dx[0], !call->first[0]);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    (void)parameters;
    if (op->channels > OP_CHANNELS_MAX / 2) return "too many channels";
    op->channels *= 2;
    return NULL;
}

const OpClass OP_CLASS_CRELU = {.word = "crelu",
                                .phrase = "a concatenated ReLU",
                                .fixed_name = "crelu",
                                .inputs = 1,
                                .shape = shape,
                                .forward = forward,
                                .backward = backward};
