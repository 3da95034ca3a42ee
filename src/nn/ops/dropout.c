/* Dropout (Srivastava et al. 2014, "Dropout: a simple way to prevent neural networks from
 * overfitting"), scaled while training, so that inference does nothing:
 *   y = m x / (1 - p) while training, y = x otherwise
 * For each element, m is 0 with the probability p and otherwise 1; p is the rate of the op. m
 * depends only on OpCall.draw, the number of the sample and the place of the element in the sample.
 * So backward computes the same m again, and it does not matter which thread takes a sample. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "nn/ops/op.h"

/* Writes m x / (1 - p) of one sample to y or, with `add`, adds it to y. */
static void drop(const OpCall *call, int sample, size_t count, const float *x, float *y, bool add) {
    float rate = call->op->rate, scale = 1 / (1 - rate);
    uint64_t key = hash_mix(call->draw + (uint64_t)(call->first_sample + sample));
    uint32_t least = (uint32_t)((double)rate * 4294967296.0);
    for (size_t i = 0; i < count; i++) {
        bool kept = (uint32_t)(hash_mix(key + i) >> 32) >= least;
        y[i] = (add ? y[i] : 0) + (kept ? x[i] * scale : 0);
    }
}

static size_t sample_elements(const OpCall *call) {
    return op_elements(call) / (size_t)call->n;
}

static void forward(const OpCall *call) {
    size_t each = sample_elements(call);
    if (!call->training) {
        if (call->y != call->x[0]) memcpy(call->y, call->x[0], op_elements(call) * sizeof(float));
        return;
    }
    for (int s = 0; s < call->n; s++)
        drop(call, s, each, call->x[0] + (size_t)s * each, call->y + (size_t)s * each, false);
}

static void backward(const OpCall *call) {
    size_t each = sample_elements(call);
    if (!call->dx[0]) return;
    if (!call->training) {
        op_pass_on(op_elements(call), call->dy, call->dx[0], !call->first[0]);
        return;
    }
    for (int s = 0; s < call->n; s++)
        drop(call, s, each, call->dy + (size_t)s * each, call->dx[0] + (size_t)s * each,
             !call->first[0]);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    (void)parameters;
    return op->rate >= 0 && op->rate < 1 ? NULL : "a rate that is not from 0 to below 1";
}

static const OpField FIELDS[] = {OP_FIELD("rate", OP_FIELD_REAL, rate), {0}};

const OpClass OP_CLASS_DROPOUT = {.word = "dropout",
                                  .phrase = "a dropout",
                                  .fixed_name = "dropout",
                                  .inputs = 1,
                                  .fields = FIELDS,
                                  .in_place = true,
                                  .shape = shape,
                                  .forward = forward,
                                  .backward = backward};
