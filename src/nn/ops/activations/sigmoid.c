/*   y = 1 / (1 + exp(-x))
 * for each element. Backward computes the slope y (1 - y) from y. Off the board, where x is usually
 * 0, y is 1/2; a net has a mask after the sigmoid where that matters. */
#include <math.h>

#include "nn/ops/op.h"

static void forward(const OpCall *call) {
    size_t count = op_elements(call);
    for (size_t i = 0; i < count; i++)
        call->y[i] = 1 / (1 + expf(-call->x[0][i]));
}

static void backward(const OpCall *call) {
    size_t count = op_elements(call);
    float *dx = call->dx[0];
    for (size_t i = 0; dx && i < count; i++) {
        float y = call->y[i];
        dx[i] = (call->first[0] ? 0 : dx[i]) + call->dy[i] * y * (1 - y);
    }
}

const OpClass OP_CLASS_SIGMOID = {.word = "sigmoid",
                                  .phrase = "a sigmoid",
                                  .fixed_name = "sigmoid",
                                  .inputs = 1,
                                  .in_place = true,
                                  .forward = forward,
                                  .backward = backward};
