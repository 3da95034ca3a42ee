/* y = x + bias[c]. */
#include "nn/ops/op.h"

OP_LOOP static void add_bias(size_t rows, size_t channels, const float *restrict x,
                             const float *restrict bias, float *restrict y) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++)
            y[r * channels + c] = x[r * channels + c] + bias[c];
    }
}

OP_LOOP static void sum_rows(size_t rows, size_t channels, const float *restrict dy,
                             float *restrict gradient) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++)
            gradient[c] += dy[r * channels + c];
    }
}

static void forward(const OpCall *call) {
    add_bias((size_t)call->n * (size_t)call->rows, (size_t)call->op->channels, call->x[0],
             call->parameters[0], call->y);
}

static void backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    if (call->gradients[0]) sum_rows(rows, channels, call->dy, call->gradients[0]);
    if (call->dx[0]) op_pass_on(op_elements(call), call->dy, call->dx[0], !call->first[0]);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    parameters[0] =
        (ParameterSpec){.name = "bias", .rank = 1, .dims = {op->channels}, .trained = true};
    return NULL;
}

const OpClass OP_CLASS_BIAS = {.word = "bias",
                               .phrase = "a bias",
                               .inputs = 1,
                               .shape = shape,
                               .forward = forward,
                               .backward = backward};
