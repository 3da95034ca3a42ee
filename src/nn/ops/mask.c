/* y = x on the board, 0 off it. */
#include "nn/ops/op.h"

OP_LOOP static void mask_rows(size_t rows, size_t channels, const float *restrict x,
                              const float *restrict mask, float *restrict y, bool add) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < channels; c++)
            y[r * channels + c] = (add ? y[r * channels + c] : 0) + x[r * channels + c] * mask[r];
    }
}

static void forward(const OpCall *call) {
    mask_rows((size_t)call->n * (size_t)call->rows, (size_t)call->op->channels, call->x[0],
              call->mask, call->y, false);
}

static void backward(const OpCall *call) {
    if (call->dx[0])
        mask_rows((size_t)call->n * (size_t)call->rows, (size_t)call->op->channels, call->dy,
                  call->mask, call->dx[0], !call->first[0]);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    (void)parameters;
    return op->shape == KIND_SPATIAL ? NULL : "only spatial values are masked";
}

const OpClass OP_CLASS_MASK = {.word = "mask",
                               .phrase = "a mask",
                               .fixed_name = "mask",
                               .inputs = 1,
                               .shape = shape,
                               .forward = forward,
                               .backward = backward};
