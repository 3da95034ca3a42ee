/* Rounds activations as inference in int8 does, so that a net learns to cope with the rounding
 * (lsq.h). All elements share one learned step s, whose logarithm is the parameter. y has 256
 * levels, of which zero_point are below 0:
 *     y = s round(clip(x / s, -zero_point, 255 - zero_point))
 * Backward is the straight-through estimator. The gradient of s in each sample is multiplied by
 *     1 / sqrt(a Q)
 * (Esser et al. 2019, "Learned Step Size Quantization"). a is the number of elements of the sample
 * that are on the board. Q is the larger of zero_point and 255 - zero_point. The gradient of the
 * logarithm is the gradient of s, multiplied by s. */
#include <math.h>

#include "nn/ops/lsq.h"
#include "nn/ops/op.h"

static float below_of(const OpCall *call) {
    return (float)call->op->zero_point;
}

static float above_of(const OpCall *call) {
    return (float)(LSQ_ACTIVATION_LEVELS - call->op->zero_point);
}

static void forward(const OpCall *call) {
    lsq_forward(op_elements(call), lsq_step(call->parameters[0][0]), below_of(call), above_of(call),
                call->x[0], call->y);
}

static void backward(const OpCall *call) {
    size_t channels = (size_t)call->op->channels, elements = (size_t)call->rows * channels;
    float step = lsq_step(call->parameters[0][0]), below = below_of(call), above = above_of(call);
    double sum = 0, level = (double)fmaxf(below, above);
    for (size_t b = 0; b < (size_t)call->n; b++) {
        size_t at = b * elements;
        float *dx = call->dx[0] ? call->dx[0] + at : NULL;
        bool spatial = call->op->shape == KIND_SPATIAL;
        double count = (spatial ? (double)call->area[b] : (double)call->rows) * (double)channels;
        sum += lsq_gradient_scale(count, level) * lsq_backward(elements, step, below, above,
                                                               call->x[0] + at, call->dy + at, dx,
                                                               !call->first[0]);
    }
    if (call->gradients[0]) call->gradients[0][0] += (float)(sum * (double)step);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    if (op->zero_point < 0 || op->zero_point > LSQ_ACTIVATION_LEVELS)
        return "the zero point must be 0 to 255";
    parameters[0] = (ParameterSpec){.name = "log_step",
                                    .rank = 1,
                                    .dims = {1},
                                    .trained = true,
                                    .init = INIT_VALUE,
                                    .value = -4}; /* 255 steps of e^-4 are about 4.7 */
    return NULL;
}

static const OpField FIELDS[] = {OP_FIELD("zero_point", OP_FIELD_COUNT, zero_point), {0}};

const OpClass OP_CLASS_FAKE_QUANTIZE = {.word = "fake_quantize",
                                        .phrase = "a rounding of activations",
                                        .inputs = 1,
                                        .fields = FIELDS,
                                        .estimates = true,
                                        .in_place = true,
                                        .shape = shape,
                                        .forward = forward,
                                        .backward = backward};
