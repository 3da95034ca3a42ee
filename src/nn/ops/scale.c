/* y = gain[c] * x. */
#include "nn/ops/op.h"

OP_LOOP static void scale_rows(size_t rows, size_t channels, const float *restrict x,
                               const float *restrict gain, float *restrict y, bool add) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++)
            y[r * channels + c] = (add ? y[r * channels + c] : 0) + x[r * channels + c] * gain[c];
    }
}

OP_LOOP static void sum_products(size_t rows, size_t channels, const float *restrict x,
                                 const float *restrict dy, float *restrict gradient) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++)
            gradient[c] += x[r * channels + c] * dy[r * channels + c];
    }
}

static void forward(const OpCall *call) {
    scale_rows((size_t)call->n * (size_t)call->rows, (size_t)call->op->channels, call->x[0],
               call->parameters[0], call->y, false);
}

static void backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, channels = (size_t)call->op->channels;
    if (call->gradients[0]) sum_products(rows, channels, call->x[0], call->dy, call->gradients[0]);
    if (call->dx[0])
        scale_rows(rows, channels, call->dy, call->parameters[0], call->dx[0], !call->first[0]);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    parameters[0] = (ParameterSpec){
        .name = "gain", .rank = 1, .dims = {op->channels}, .trained = !op->fixed, .init = INIT_ONE};
    return NULL;
}

static const OpField FIELDS[] = {OP_FIELD("trained", OP_FIELD_RARE_NOT, fixed), {0}};

const OpClass OP_CLASS_SCALE = {.word = "scale",
                                .phrase = "a gain",
                                .inputs = 1,
                                .fields = FIELDS,
                                .shape = shape,
                                .forward = forward,
                                .backward = backward};
