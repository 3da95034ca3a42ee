/* Inputs and constants, and two ops that copy channels: concat joins two values along c, and slice
 * takes some channels of a value. */
#include <string.h>

#include "nn/ops/op.h"

static void constant_forward(const OpCall *call) {
    size_t count = (size_t)call->op->rows * (size_t)call->op->channels;
    for (int b = 0; b < call->n; b++)
        memcpy(call->y + (size_t)b * count, call->parameters[0], count * sizeof(float));
}

static void constant_backward(const OpCall *call) {
    size_t count = (size_t)call->op->rows * (size_t)call->op->channels;
    for (int b = 0; call->gradients[0] && b < call->n; b++)
        op_add_scaled(count, 1, call->dy + (size_t)b * count, call->gradients[0]);
}

/* Copies or adds `count` channels of every row. The widths are the channels of a row in `from` and
 * in `to`. */
static void move_rows(size_t rows, const float *from, size_t from_width, float *to, size_t to_width,
                      size_t count, bool add) {
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < count; c++)
            to[r * to_width + c] = (add ? to[r * to_width + c] : 0) + from[r * from_width + c];
    }
}

static void concat_forward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, a = (size_t)call->in_channels[0],
           b = (size_t)call->in_channels[1];
    move_rows(rows, call->x[0], a, call->y, a + b, a, false);
    move_rows(rows, call->x[1], b, call->y + a, a + b, b, false);
}

static void concat_backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, a = (size_t)call->in_channels[0],
           b = (size_t)call->in_channels[1];
    if (call->dx[0]) move_rows(rows, call->dy, a + b, call->dx[0], a, a, !call->first[0]);
    if (call->dx[1]) move_rows(rows, call->dy + a, a + b, call->dx[1], b, b, !call->first[1]);
}

static void slice_forward(const OpCall *call) {
    move_rows((size_t)call->n * (size_t)call->rows, call->x[0] + call->op->first,
              (size_t)call->in_channels[0], call->y, (size_t)call->op->channels,
              (size_t)call->op->channels, false);
}

static void slice_backward(const OpCall *call) {
    size_t rows = (size_t)call->n * (size_t)call->rows, in = (size_t)call->in_channels[0],
           count = (size_t)call->op->channels;
    if (!call->dx[0]) return;
    op_begin_gradient(call, 0);
    move_rows(rows, call->dy, count, call->dx[0] + call->op->first, in, count, true);
}

static const char *input_shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    (void)parameters;
    bool good = op->shape == KIND_SPATIAL || op->shape == KIND_VECTOR;
    return good ? NULL : "an input of the net must be spatial or a vector";
}

static const char *constant_shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    if (op->rows < 1 || op->rows > OP_ROWS_MAX) return "a constant must have 1 to 65536 rows";
    op->shape = KIND_LIST;
    parameters[0] = (ParameterSpec){.name = "values", .rank = 2, .dims = {op->rows, op->channels}};
    if (!op->trained) return NULL;
    if (op->rows > (1 << 26) / op->channels) return "a trained constant has too many elements";
    /* with one dimension, so that the optimiser Muon does not treat the constant as a matrix */
    parameters[0] = (ParameterSpec){
        .name = "values", .rank = 1, .dims = {op->rows * op->channels}, .trained = true};
    return NULL;
}

static const char *concat_shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)parameters;
    const Op *other = inputs[1];
    if (op->shape != other->shape || op->rows != other->rows)
        return "the two inputs differ in their kind or in their number of rows";
    if (op->channels > OP_CHANNELS_MAX - other->channels) return "too many channels";
    op->channels += other->channels;
    return NULL;
}

static const char *slice_shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)parameters;
    bool good = op->first >= 0 && op->first <= inputs[0]->channels - op->channels;
    return good ? NULL : "a slice takes channels that its input does not have";
}

static const char *const KIND_WORDS[] = {
    [KIND_SPATIAL] = "spatial", [KIND_VECTOR] = "vector", [KIND_LIST] = "list", NULL};
static const OpField INPUT_FIELDS[] = {OP_FIELD_ENUM("shape", shape, KIND_WORDS), {0}};
static const OpField CONSTANT_FIELDS[] = {
    OP_FIELD("rows", OP_FIELD_COUNT, rows), OP_FIELD("trained", OP_FIELD_RARE, trained), {0}};
static const OpField SLICE_FIELDS[] = {OP_FIELD("first", OP_FIELD_COUNT, first), {0}};

const OpClass OP_CLASS_INPUT = {.word = "input",
                                .phrase = "an input",
                                .fields = INPUT_FIELDS,
                                .free_channels = true,
                                .shape = input_shape};
const OpClass OP_CLASS_CONSTANT = {.word = "constant",
                                   .phrase = "a constant",
                                   .fields = CONSTANT_FIELDS,
                                   .free_channels = true,
                                   .shape = constant_shape,
                                   .forward = constant_forward,
                                   .backward = constant_backward};
const OpClass OP_CLASS_CONCAT = {.word = "concat",
                                 .phrase = "joined channels",
                                 .fixed_name = "concat",
                                 .inputs = 2,
                                 .shape = concat_shape,
                                 .forward = concat_forward,
                                 .backward = concat_backward};
const OpClass OP_CLASS_SLICE = {.word = "slice",
                                .phrase = "a part of the channels",
                                .fixed_name = "slice",
                                .inputs = 1,
                                .fields = SLICE_FIELDS,
                                .free_channels = true,
                                .shape = slice_shape,
                                .forward = slice_forward,
                                .backward = slice_backward};
