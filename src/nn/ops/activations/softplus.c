/*   y = ln(1 + exp(x))
 * for each element. If the op has a limit, y is at most this number, and the slope is 0 where y has
 * reached it (p3achygo, python/model.py). Backward computes the slope 1 / (1 + exp(-x)) from y, as
 * 1 - exp(-y). Off the board, where x is usually 0, y is ln 2; a net has a mask after the softplus
 * where that matters. */
#include <math.h>

#include "nn/ops/op.h"

static void forward(const OpCall *call) {
    size_t count = op_elements(call);
    float limit = call->op->limit;
    for (size_t i = 0; i < count; i++) {
        float x = call->x[0][i];
        call->y[i] = x > 20 ? x : log1pf(expf(x));
        if (limit > 0 && call->y[i] > limit) call->y[i] = limit;
    }
}

static void backward(const OpCall *call) {
    size_t count = op_elements(call);
    float *dx = call->dx[0], limit = call->op->limit;
    for (size_t i = 0; dx && i < count; i++) {
        float slope = limit > 0 && call->y[i] >= limit ? 0 : -expm1f(-call->y[i]);
        dx[i] = (call->first[0] ? 0 : dx[i]) + call->dy[i] * slope;
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    (void)parameters;
    return op->limit >= 0 && isfinite(op->limit) ? NULL : "a limit that is no number of 0 or more";
}

static const OpField FIELDS[] = {OP_FIELD("limit", OP_FIELD_LIMIT, limit), {0}};

const OpClass OP_CLASS_SOFTPLUS = {.word = "softplus",
                                   .phrase = "a softplus",
                                   .fixed_name = "softplus",
                                   .inputs = 1,
                                   .fields = FIELDS,
                                   .in_place = true,
                                   .shape = shape,
                                   .forward = forward,
                                   .backward = backward};
