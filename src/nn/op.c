#include "nn/op.h"

const OpClass *op_class(OpKind kind) {
    static const OpClass *const CLASSES[OP_KIND_COUNT] = {
        [OP_CONSTANT] = &OP_CLASS_CONSTANT,
        [OP_CONV] = &OP_CLASS_CONV,
        [OP_DENSE] = &OP_CLASS_DENSE,
        [OP_SCALE] = &OP_CLASS_SCALE,
        [OP_BIAS] = &OP_CLASS_BIAS,
        [OP_BATCH_NORM] = &OP_CLASS_BATCH_NORM,
        [OP_ACTIVATION] = &OP_CLASS_ACTIVATION,
        [OP_ADD] = &OP_CLASS_ADD,
        [OP_ADD_BROADCAST] = &OP_CLASS_ADD_BROADCAST,
        [OP_MUL_BROADCAST] = &OP_CLASS_MUL_BROADCAST,
        [OP_MASK] = &OP_CLASS_MASK,
        [OP_GLOBAL_POOL] = &OP_CLASS_GLOBAL_POOL,
        [OP_CONCAT] = &OP_CLASS_CONCAT,
        [OP_SLICE] = &OP_CLASS_SLICE,
        [OP_MULTIPLY] = &OP_CLASS_MULTIPLY,
        [OP_RMS_NORM] = &OP_CLASS_RMS_NORM,
        [OP_ROTARY] = &OP_CLASS_ROTARY,
        [OP_ATTENTION] = &OP_CLASS_ATTENTION,
    };
    return CLASSES[kind]; /* NULL for inputs */
}

size_t op_numbers(const OpCall *call) {
    return (size_t)call->n * (size_t)call->rows * (size_t)call->op->channels;
}

OP_LOOP void op_pass_on(size_t count, const float *restrict dy, float *restrict dx, bool add) {
    for (size_t i = 0; i < count; i++)
        dx[i] = (add ? dx[i] : 0) + dy[i];
}
