/* Holds the learned steps of the layer that makes x. The layer has one step for each output
 * channel. Each weight of the layer is the step of its output channel times a whole number from
 * -127 to 127 (lsq.h). The op itself passes x on:
 *     y = x
 * The parameter holds the logarithms of the steps. The trainer rounds the weights after each step
 * of the optimiser and finds the gradient of the steps (nn/learn/latent_weights.h). The rounded
 * weights are the same for all passes and threads of a batch, so rounding them once is enough. The
 * trainer refuses a net in which x is not made by a convolution or a matrix with weights of its
 * own. */
#include <string.h>

#include "nn/ops/op.h"

static void forward(const OpCall *call) {
    if (call->y != call->x[0]) memcpy(call->y, call->x[0], op_elements(call) * sizeof(float));
}

static void backward(const OpCall *call) {
    if (call->dx[0]) op_pass_on(op_elements(call), call->dy, call->dx[0], !call->first[0]);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    parameters[0] = (ParameterSpec){.name = "log_step",
                                    .rank = 1,
                                    .dims = {op->channels},
                                    .trained = true,
                                    .init = INIT_VALUE,
                                    .value = -6};
    return NULL;
}

const OpClass OP_CLASS_WEIGHT_STEP = {.word = "weight_step",
                                      .phrase = "a list of steps of weights",
                                      .inputs = 1,
                                      .in_place = true,
                                      .shape = shape,
                                      .forward = forward,
                                      .backward = backward};
