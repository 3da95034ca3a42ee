/* y = a * b element by element, where both have the same shape. */
#include "nn/ops/op.h"

OP_LOOP static void multiply_elements(size_t count, const float *restrict a,
                                      const float *restrict b, float *restrict y, bool add) {
    for (size_t i = 0; i < count; i++)
        y[i] = (add ? y[i] : 0) + a[i] * b[i];
}

static void forward(const OpCall *call) {
    multiply_elements(op_elements(call), call->x[0], call->x[1], call->y, false);
}

static void backward(const OpCall *call) {
    for (int i = 0; i < 2; i++) {
        if (call->dx[i])
            multiply_elements(op_elements(call), call->dy, call->x[1 - i], call->dx[i],
                              !call->first[i]);
    }
}

const OpClass OP_CLASS_MULTIPLY = {.word = "multiply",
                                   .phrase = "a product",
                                   .fixed_name = "multiply",
                                   .inputs = 2,
                                   .shape = op_shape_alike,
                                   .forward = forward,
                                   .backward = backward};
