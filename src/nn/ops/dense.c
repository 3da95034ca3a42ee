/* y[r][o] = sum over i of w[o][i] * x[r][i], for every row of every sample. With
 * the attribute `weights_of`, the op uses the w of an earlier dense op. */
#include "nn/ops/op.h"

static void forward(const OpCall *call) {
    size_t in = (size_t)call->in_channels[0], out = (size_t)call->op->channels,
           rows = (size_t)call->n * (size_t)call->rows;
    for (size_t r = 0; r < rows; r++) {
        for (size_t o = 0; o < out; o++) {
            float sum = 0;
            for (size_t i = 0; i < in; i++)
                sum += call->parameters[0][o * in + i] * call->x[0][r * in + i];
            call->y[r * out + o] = sum;
        }
    }
}

static void backward(const OpCall *call) {
    size_t in = (size_t)call->in_channels[0], out = (size_t)call->op->channels,
           rows = (size_t)call->n * (size_t)call->rows;
    for (size_t r = 0; r < rows; r++) {
        for (size_t i = 0; call->dx[0] && call->first[0] && i < in; i++)
            call->dx[0][r * in + i] = 0;
        for (size_t o = 0; o < out; o++) {
            float slope = call->dy[r * out + o];
            for (size_t i = 0; i < in; i++) {
                if (call->gradients[0])
                    call->gradients[0][o * in + i] += slope * call->x[0][r * in + i];
                if (call->dx[0]) call->dx[0][r * in + i] += slope * call->parameters[0][o * in + i];
            }
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    parameters[0] = (ParameterSpec){.name = "weight",
                                    .rank = 2,
                                    .dims = {op->channels, inputs[0]->channels},
                                    .trained = true,
                                    .decayed = true};
    return NULL;
}

static double multiply_adds(const Op *op, int in_channels, int rows, int cells) {
    (void)cells;
    return (double)rows * in_channels * op->channels;
}

static const OpField FIELDS[] = {OP_FIELD("weights_of", OP_FIELD_LINK, weights_of), {0}};

const OpClass OP_CLASS_DENSE = {.word = "dense",
                                .phrase = "a matrix",
                                .layer = "dense",
                                .inputs = 1,
                                .fields = FIELDS,
                                .free_channels = true,
                                .shape = shape,
                                .multiply_adds = multiply_adds,
                                .forward = forward,
                                .backward = backward};
