/*   y = ln(1 + exp(x))
 * for each element. Backward computes the slope 1 / (1 + exp(-x)) from y, as 1 - exp(-y). Off the
 * board, where x is 0, y is ln 2; a net has a mask after the softplus where that matters. */
#include <math.h>

#include "nn/ops/op.h"

static void forward(const OpCall *call) {
    size_t count = op_elements(call);
    for (size_t i = 0; i < count; i++) {
        float x = call->x[0][i];
        call->y[i] = x > 20 ? x : log1pf(expf(x));
    }
}

static void backward(const OpCall *call) {
    size_t count = op_elements(call);
    float *dx = call->dx[0];
    for (size_t i = 0; dx && i < count; i++)
        dx[i] = (call->first[0] ? 0 : dx[i]) - call->dy[i] * expm1f(-call->y[i]);
}

const OpClass OP_CLASS_SOFTPLUS = {.word = "softplus",
                                   .phrase = "a softplus",
                                   .fixed_name = "softplus",
                                   .inputs = 1,
                                   .in_place = true,
                                   .forward = forward,
                                   .backward = backward};
