/* Adds a vector (n, c) to every row of a spatial value or list (n, rows, c), or multiplies each row
 * by it. */
#include <string.h>

#include "nn/ops/op.h"

typedef struct {
    size_t n, rows, channels;
} Sizes;

static Sizes sizes_of(const OpCall *call) {
    return (Sizes){(size_t)call->n, (size_t)call->rows, (size_t)call->op->channels};
}

OP_LOOP static void add_vector(Sizes s, const float *restrict x, const float *restrict vector,
                               float *restrict y) {
    for (size_t b = 0; b < s.n; b++) {
        for (size_t r = 0; r < s.rows; r++) {
            size_t at = (b * s.rows + r) * s.channels;
            for (size_t c = 0; c < s.channels; c++)
                y[at + c] = x[at + c] + vector[b * s.channels + c];
        }
    }
}

OP_LOOP static void mul_vector(Sizes s, const float *restrict x, const float *restrict vector,
                               float *restrict y, bool add) {
    for (size_t b = 0; b < s.n; b++) {
        for (size_t r = 0; r < s.rows; r++) {
            size_t at = (b * s.rows + r) * s.channels;
            for (size_t c = 0; c < s.channels; c++)
                y[at + c] = (add ? y[at + c] : 0) + x[at + c] * vector[b * s.channels + c];
        }
    }
}

/* Adds all rows of dy in a sample to the gradient of the sample's vector. */
OP_LOOP static void sum_samples(Sizes s, const float *restrict dy, float *restrict dvector) {
    for (size_t b = 0; b < s.n; b++) {
        for (size_t r = 0; r < s.rows; r++) {
            size_t at = (b * s.rows + r) * s.channels;
            for (size_t c = 0; c < s.channels; c++)
                dvector[b * s.channels + c] += dy[at + c];
        }
    }
}

OP_LOOP static void sum_sample_products(Sizes s, const float *restrict dy, const float *restrict x,
                                        float *restrict dvector) {
    for (size_t b = 0; b < s.n; b++) {
        for (size_t r = 0; r < s.rows; r++) {
            size_t at = (b * s.rows + r) * s.channels;
            for (size_t c = 0; c < s.channels; c++)
                dvector[b * s.channels + c] += dy[at + c] * x[at + c];
        }
    }
}

static void clear_vector(const OpCall *call, Sizes s) {
    if (call->first[1]) memset(call->dx[1], 0, s.n * s.channels * sizeof(float));
}

static void add_forward(const OpCall *call) {
    add_vector(sizes_of(call), call->x[0], call->x[1], call->y);
}

static void add_backward(const OpCall *call) {
    Sizes s = sizes_of(call);
    if (call->dx[0]) op_pass_on(op_elements(call), call->dy, call->dx[0], !call->first[0]);
    if (!call->dx[1]) return;
    clear_vector(call, s);
    sum_samples(s, call->dy, call->dx[1]);
}

static void mul_forward(const OpCall *call) {
    mul_vector(sizes_of(call), call->x[0], call->x[1], call->y, false);
}

static void mul_backward(const OpCall *call) {
    Sizes s = sizes_of(call);
    if (call->dx[0]) mul_vector(s, call->dy, call->x[1], call->dx[0], !call->first[0]);
    if (!call->dx[1]) return;
    clear_vector(call, s);
    sum_sample_products(s, call->dy, call->x[0], call->dx[1]);
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)parameters;
    const Op *vector = inputs[1];
    bool good = op->shape != KIND_VECTOR && vector->shape == KIND_VECTOR &&
                op->channels == vector->channels;
    return good ? NULL : "a spatial value or list and a vector of as many channels were wanted";
}

const OpClass OP_CLASS_ADD_BROADCAST = {.word = "add_broadcast",
                                        .phrase = "a sum with a vector",
                                        .fixed_name = "add_broadcast",
                                        .inputs = 2,
                                        .passes = 1,
                                        .shape = shape,
                                        .forward = add_forward,
                                        .backward = add_backward};
const OpClass OP_CLASS_MUL_BROADCAST = {.word = "mul_broadcast",
                                        .phrase = "a product with a vector",
                                        .fixed_name = "mul_broadcast",
                                        .inputs = 2,
                                        .shape = shape,
                                        .forward = mul_forward,
                                        .backward = mul_backward};
