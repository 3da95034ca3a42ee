/* The activations relu, tanh, and
 *     mish(x) = x tanh(softplus(x))   (Misra 2019)
 *     silu(x) = x / (1 + exp(-x)) */
#include <math.h>

#include "nn/ops/op.h"

#define KERNEL(name) plain_##name
#define KERNEL_TARGET
#define KERNEL_FMA(a, b, c) ((a) * (b) + (c))
#include "nn/ops/activation_body.h"

static float value_at(Activation activation, float x) {
    switch (activation) {
    case ACTIVATION_RELU:
        return x > 0 ? x : 0;
    case ACTIVATION_MISH:
        return x * tanhf(x > 40 ? x : log1pf(expf(x)));
    case ACTIVATION_SILU:
        return x / (1 + expf(-x));
    case ACTIVATION_TANH:
        return tanhf(x);
    case ACTIVATION_IDENTITY:
        break;
    }
    return x;
}

static float slope_at(Activation activation, float x) {
    float sigmoid, t;
    switch (activation) {
    case ACTIVATION_RELU:
        return x > 0 ? 1 : 0;
    case ACTIVATION_MISH:
        sigmoid = 1 / (1 + expf(-x));
        t = tanhf(x > 40 ? x : log1pf(expf(x)));
        return t + x * sigmoid * (1 - t * t);
    case ACTIVATION_SILU:
        sigmoid = 1 / (1 + expf(-x));
        return sigmoid * (1 + x * (1 - sigmoid));
    case ACTIVATION_TANH:
        t = tanhf(x);
        return 1 - t * t;
    case ACTIVATION_IDENTITY:
        break;
    }
    return 1;
}

OP_LOOP static void relu(size_t count, const float *restrict x, float *restrict y) {
    for (size_t i = 0; i < count; i++)
        y[i] = x[i] > 0 ? x[i] : 0;
}

OP_LOOP static void relu_backward(size_t count, const float *restrict x, const float *restrict dy,
                                  float *restrict dx, bool add) {
    for (size_t i = 0; i < count; i++)
        dx[i] = (add ? dx[i] : 0) + (x[i] > 0 ? dy[i] : 0);
}

/* mish and silu in a form that compilers vectorise; their results agree with value_at() to 1e-6. */
OP_LOOP static void mish(size_t count, const float *x, float *y) {
    for (size_t i = 0; i < count; i++)
        y[i] = plain_mish(x[i]);
}

OP_LOOP static void silu(size_t count, const float *x, float *y) {
    for (size_t i = 0; i < count; i++)
        y[i] = plain_silu(x[i]);
}

/* With e = exp(x) and s = e (e + 2), tanh(softplus(x)) is t = s / (s + 2). */
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

static void forward(const OpCall *call) {
    Activation activation = call->op->activation;
    size_t count = op_elements(call);
    if (activation == ACTIVATION_RELU) {
        relu(count, call->x[0], call->y);
        return;
    }
    if (activation == ACTIVATION_MISH || activation == ACTIVATION_SILU) {
        (activation == ACTIVATION_MISH ? mish : silu)(count, call->x[0], call->y);
        return;
    }
    for (size_t i = 0; i < count; i++)
        call->y[i] = value_at(activation, call->x[0][i]);
}

static void backward(const OpCall *call) {
    Activation activation = call->op->activation;
    size_t count = op_elements(call);
    float *dx = call->dx[0];
    if (!dx) return;
    if (activation == ACTIVATION_RELU) {
        relu_backward(count, call->x[0], call->dy, dx, !call->first[0]);
        return;
    }
    if (activation == ACTIVATION_MISH || activation == ACTIVATION_SILU) {
        if (call->first[0]) memset(dx, 0, count * sizeof *dx);
        (activation == ACTIVATION_MISH ? mish_backward : silu_backward)(count, call->x[0], call->dy,
                                                                        dx);
        return;
    }
    for (size_t i = 0; i < count; i++)
        dx[i] = (call->first[0] ? 0 : dx[i]) + call->dy[i] * slope_at(activation, call->x[0][i]);
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
