/* The activations identity, relu, tanh, and
 *     mish(x) = x tanh(softplus(x))   (Misra 2019)
 *     silu(x) = x / (1 + exp(-x)) */
#include <math.h>
#include <string.h>

#include "nn/ops/op.h"

#define KERNEL(name) plain_##name
#define KERNEL_TARGET
#define KERNEL_FMA(a, b, c) ((a) * (b) + (c))
#include "nn/ops/activations/activation_body.h"

/* Compilers can vectorise these functions over arrays, except those of tanh. The functions for
 * backward add to dx. */
OP_LOOP static void relu(size_t count, const float *restrict x, float *restrict y) {
    for (size_t i = 0; i < count; i++)
        y[i] = x[i] > 0 ? x[i] : 0;
}

OP_LOOP static void relu_backward(size_t count, const float *restrict x, const float *restrict dy,
                                  float *restrict dx) {
    for (size_t i = 0; i < count; i++)
        dx[i] += x[i] > 0 ? dy[i] : 0;
}

static void tanh_forward(size_t count, const float *x, float *y) {
    for (size_t i = 0; i < count; i++)
        y[i] = tanhf(x[i]);
}

static void tanh_backward(size_t count, const float *x, const float *dy, float *dx) {
    for (size_t i = 0; i < count; i++) {
        float t = tanhf(x[i]);
        dx[i] += dy[i] * (1 - t * t);
    }
}

static void identity(size_t count, const float *x, float *y) {
    memcpy(y, x, count * sizeof *y);
}

static void identity_backward(size_t count, const float *x, const float *dy, float *dx) {
    (void)x;
    op_add_scaled(count, 1, dy, dx);
}

OP_LOOP static void mish(size_t count, const float *x, float *y) {
    for (size_t i = 0; i < count; i++)
        y[i] = plain_mish(x[i]);
}

OP_LOOP static void silu(size_t count, const float *x, float *y) {
    for (size_t i = 0; i < count; i++)
        y[i] = plain_silu(x[i]);
}

/* The slope of mish is
 *     t + x sigmoid(x) (1 - t^2)   with t = tanh(softplus(x)) = s / (s + 2)
 * where s = e (e + 2) and e = exp(x). */
OP_LOOP static void mish_backward(size_t count, const float *restrict x, const float *restrict dy,
                                  float *restrict dx) {
    for (size_t i = 0; i < count; i++) {
        float e = plain_exp(x[i] > 20 ? 20 : x[i]), s = e * (e + 2), t = s / (s + 2);
        dx[i] += dy[i] * (t + x[i] * (e / (1 + e)) * (1 - t) * (1 + t));
    }
}

OP_LOOP static void silu_backward(size_t count, const float *restrict x, const float *restrict dy,
                                  float *restrict dx) {
    for (size_t i = 0; i < count; i++) {
        float sigmoid = 1 / (1 + plain_exp(-x[i]));
        dx[i] += dy[i] * sigmoid * (1 + x[i] * (1 - sigmoid));
    }
}

static const struct {
    void (*forward)(size_t count, const float *x, float *y);
    void (*backward)(size_t count, const float *x, const float *dy, float *dx);
} FUNCTIONS[] = {[ACTIVATION_IDENTITY] = {identity, identity_backward},
                 [ACTIVATION_RELU] = {relu, relu_backward},
                 [ACTIVATION_MISH] = {mish, mish_backward},
                 [ACTIVATION_SILU] = {silu, silu_backward},
                 [ACTIVATION_TANH] = {tanh_forward, tanh_backward}};

static void forward(const OpCall *call) {
    FUNCTIONS[call->op->activation].forward(op_elements(call), call->x[0], call->y);
}

static void backward(const OpCall *call) {
    op_begin_gradient(call, 0);
    if (call->dx[0])
        FUNCTIONS[call->op->activation].backward(op_elements(call), call->x[0], call->dy,
                                                 call->dx[0]);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    (void)parameters;
    return (unsigned)op->activation > ACTIVATION_TANH ? "an unknown activation" : NULL;
}

static const char *const WORDS[] = {
    [ACTIVATION_IDENTITY] = "identity", [ACTIVATION_RELU] = "relu", [ACTIVATION_MISH] = "mish",
    [ACTIVATION_SILU] = "silu",         [ACTIVATION_TANH] = "tanh", NULL};
static const OpField FIELDS[] = {OP_FIELD_ENUM("activation", activation, WORDS), {0}};

const OpClass OP_CLASS_ACTIVATION = {.word = "activation",
                                     .phrase = "an activation",
                                     .fixed_name = "activation",
                                     .inputs = 1,
                                     .fields = FIELDS,
                                     .shape = shape,
                                     .forward = forward,
                                     .backward = backward};
