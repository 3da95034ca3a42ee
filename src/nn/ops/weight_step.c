/* Holds the learned steps of the layer that makes x. There are two forms:
 *   int8   The layer has one step for each output channel. Each weight of the layer is the step of
 *          its output channel times a whole number from -127 to 127 (lsq.h).
 *   int4   The weights of a row (those from all inputs to one output, at one tap of the kernel) are
 *          cut into groups of `group`. Each group has a step, and `steps` is the number of groups
 *          of an output. Each weight is the step of its group, rounded to bf16, times a whole
 *          number from -7 to 7 (nn/graph/packed_weights.h).
 * The op itself passes x on:
 *     y = x
 * The parameter holds the logarithms of the steps, in the order of the weights. The trainer rounds
 * the weights after each step of the optimiser and finds the gradient of the steps
 * (nn/learn/latent_weights.h). The rounded weights are the same for all passes and threads of a
 * batch, so rounding them once is enough. The trainer refuses a net in which x is not made by a
 * convolution or a matrix with weights of its own, or with another number of steps. */
#include <string.h>

#include "nn/ops/op.h"

enum { STEPS_MAX = 1 << 26 };

static void forward(const OpCall *call) {
    if (call->y != call->x[0]) memcpy(call->y, call->x[0], op_elements(call) * sizeof(float));
}

static void backward(const OpCall *call) {
    if (call->dx[0]) op_pass_on(op_elements(call), call->dy, call->dx[0], !call->first[0]);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    /* the caller of program_add_op() may leave both at 0 */
    if (op->group == 0) op->group = 1;
    if (op->steps == 0) op->steps = 1;
    if (op->group != 1 && op->group != 32 && op->group != 64)
        return "a group of weights with one step must have 32 or 64 weights";
    if (op->steps < 1 || op->steps > STEPS_MAX / op->channels || (op->group == 1 && op->steps != 1))
        return "wrong number of steps for each output";
    parameters[0] = (ParameterSpec){.name = "log_step",
                                    .rank = 1,
                                    .dims = {op->channels * op->steps},
                                    .trained = true,
                                    .init = INIT_VALUE,
                                    .value = -6};
    return NULL;
}

static const OpField FIELDS[] = {
    OP_FIELD("group", OP_FIELD_FACTOR, group), OP_FIELD("steps", OP_FIELD_FACTOR, steps), {0}};

const OpClass OP_CLASS_WEIGHT_STEP = {.word = "weight_step",
                                      .phrase = "a list of steps of weights",
                                      .inputs = 1,
                                      .fields = FIELDS,
                                      .in_place = true,
                                      .shape = shape,
                                      .forward = forward,
                                      .backward = backward};
