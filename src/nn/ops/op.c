#include "nn/ops/op.h"

#include <string.h>

int op_rows(const Op *op, int height, int width) {
    return op->shape == KIND_SPATIAL ? height * width : op->shape == KIND_LIST ? op->rows : 1;
}

OpCall op_call(const Op *op, const Op *const *inputs, int height, int width) {
    OpCall call = {
        .op = op, .height = height, .width = width, .rows = op_rows(op, height, width), .r_max = 1};
    if (inputs[0]) call.in_rows = op_rows(inputs[0], height, width);
    for (int i = 0; i < 2 && inputs[i]; i++)
        call.in_channels[i] = inputs[i]->channels;
    return call;
}

const char *op_shape_alike(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)parameters;
    const Op *other = inputs[1];
    bool alike =
        op->shape == other->shape && op->channels == other->channels && op->rows == other->rows;
    return alike ? NULL : "the shapes differ";
}

size_t op_elements(const OpCall *call) {
    return (size_t)call->n * (size_t)call->rows * (size_t)call->op->channels;
}

void op_begin_gradient(const OpCall *call, int input) {
    size_t rows = (size_t)call->n * (size_t)call->in_rows;
    if (call->dx[input] && call->first[input])
        memset(call->dx[input], 0, rows * (size_t)call->in_channels[input] * sizeof(float));
}

OP_LOOP void op_add_scaled(size_t count, float factor, const float *restrict x, float *restrict y) {
    for (size_t i = 0; i < count; i++)
        y[i] += factor * x[i];
}

OP_LOOP float op_dot(size_t count, const float *restrict a, const float *restrict b) {
    enum { LANES = 16 };
    float sums[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        for (size_t lane = 0; lane < LANES; lane++)
            sums[lane] += a[i + lane] * b[i + lane];
    }
    for (; i < count; i++)
        sum += a[i] * b[i];
    for (size_t lane = 0; lane < LANES; lane++)
        sum += sums[lane];
    return sum;
}

OP_LOOP void op_pass_on(size_t count, const float *restrict dy, float *restrict dx, bool add) {
    for (size_t i = 0; i < count; i++)
        dx[i] = (add ? dx[i] : 0) + dy[i];
}
