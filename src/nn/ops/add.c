/* y = a + b, where both have the same shape. */
#include "nn/ops/op.h"

OP_LOOP static void sum_two(size_t count, const float *restrict a, const float *restrict b,
                            float *restrict y) {
    for (size_t i = 0; i < count; i++)
        y[i] = a[i] + b[i];
}

static void forward(const OpCall *call) {
    sum_two(op_elements(call), call->x[0], call->x[1], call->y);
}

static void backward(const OpCall *call) {
    for (int i = 0; i < 2; i++) {
        if (call->dx[i]) op_pass_on(op_elements(call), call->dy, call->dx[i], !call->first[i]);
    }
}

const OpClass OP_CLASS_ADD = {.word = "add",
                              .phrase = "a sum",
                              .fixed_name = "add",
                              .inputs = 2,
                              .passes = 2,
                              .shape = op_shape_alike,
                              .forward = forward,
                              .backward = backward};
