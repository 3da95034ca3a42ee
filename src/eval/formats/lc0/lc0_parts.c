#include "eval/formats/lc0/lc0_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "nn/ops/op_table.h"

bool lc0_parts_good(const Lc0Parts *parts) {
    return !parts->fault.status;
}

const Op *lc0_op(const Lc0Parts *parts, Value value) {
    static const Op NONE = {.kind = OP_KIND_COUNT, .inputs = {-1, -1}};
    return value < 0 ? &NONE : program_op(parts->program, value);
}

Value lc0_input(const Lc0Parts *parts, Value value, int index) {
    return lc0_op(parts, value)->inputs[index];
}

const float *lc0_values(const Lc0Parts *parts, Value op, int slot) {
    return net_values_const(parts->net, lc0_op(parts, op)->parameters[slot]);
}

static bool has_name(const Op *op) {
    return op->kind == OP_INPUT || op->parameters[0] >= 0;
}

Value lc0_parts_refuse(Lc0Parts *parts, Value at, const char *format, ...) {
    char text[256];
    va_list list;
    if (!lc0_parts_good(parts)) return -1;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *behind = "";
    while (at >= 0 && !has_name(lc0_op(parts, at))) {
        /* The first term of a sum leads past the block, the second into it. */
        at = lc0_input(parts, at, lc0_op(parts, at)->kind == OP_ADD);
        behind = "behind ";
    }
    (void)fail(&parts->fault, ERR_UNSUPPORTED, "lc0's files cannot hold this net: %s%s: %s", behind,
               at < 0 ? "the net" : lc0_op(parts, at)->name, text);
    return -1;
}

static const char *phrase(OpKind kind) {
    return kind == OP_KIND_COUNT ? "nothing" : op_class(kind)->phrase;
}

Value lc0_expect(Lc0Parts *parts, Value value, OpKind kind) {
    if (!lc0_parts_good(parts)) return -1;
    OpKind got = lc0_op(parts, value)->kind;
    if (got == kind) return value;
    return lc0_parts_refuse(parts, value, "%s, where lc0 wants %s", phrase(got), phrase(kind));
}

Value lc0_behind_mask(const Lc0Parts *parts, Value value) {
    return lc0_op(parts, value)->kind == OP_MASK ? lc0_input(parts, value, 0) : value;
}

float *lc0_parts_room(Lc0Parts *parts, size_t count) {
    if (!lc0_parts_good(parts)) return NULL;
    float *room = arena_alloc(&parts->arena, mem_array_bytes(count, sizeof *room));
    if (!room) (void)fail(&parts->fault, ERR_MEMORY, "no memory for the weights");
    return room;
}

/* Combines an op with `affine`, a function of the op's result. Afterwards `affine` is a function of
 * the op's input. */
static void fold(const Lc0Parts *parts, Value op, Lc0Affine *affine) {
    enum { GAMMA, BETA, MEAN, VARIANCE };
    const Op *of = lc0_op(parts, op);
    const float *p[4];
    for (int i = 0; i < 4; i++)
        p[i] = of->parameters[i] < 0 ? NULL : lc0_values(parts, op, i);
    for (int c = 0; c < of->channels; c++) {
        double gain = 1, shift = 0;
        if (of->kind == OP_BIAS) shift = (double)p[0][c];
        if (of->kind == OP_SCALE) gain = (double)p[0][c];
        if (of->kind == OP_BATCH_NORM) {
            gain = (double)p[GAMMA][c] / sqrt((double)p[VARIANCE][c] + (double)of->epsilon);
            shift = (double)p[BETA][c] - gain * (double)p[MEAN][c];
        }
        affine->shift[c] = (float)((double)affine->shift[c] + (double)affine->gain[c] * shift);
        affine->gain[c] = (float)((double)affine->gain[c] * gain);
    }
    affine->scales |= of->kind != OP_BIAS;
    affine->shifts |= of->kind != OP_SCALE;
}

/* Multiplies the rows of the weights. */
static const float *scaled(Lc0Parts *parts, const Lc0Linear *linear, const float *gain) {
    size_t row = (size_t)(linear->kernel * linear->kernel) * (size_t)linear->in;
    float *weights = lc0_parts_room(parts, row * (size_t)linear->out);
    for (size_t i = 0; weights && i < row * (size_t)linear->out; i++)
        weights[i] = linear->weights[i] * gain[i / row];
    return weights;
}

bool lc0_find_affine(Lc0Parts *parts, Value *end, Lc0Affine *out) {
    const size_t channels = (size_t)lc0_op(parts, *end)->channels;
    OpKind kind = lc0_op(parts, *end)->kind;
    *out = (Lc0Affine){.gain = lc0_parts_room(parts, 2 * channels)};
    if (!out->gain) return false;
    out->shift = out->gain + channels;
    for (size_t c = 0; c < channels; c++)
        out->gain[c] = 1;
    while (kind == OP_BIAS || kind == OP_SCALE || kind == OP_BATCH_NORM || kind == OP_DROPOUT) {
        if (kind != OP_DROPOUT) fold(parts, *end, out);
        *end = lc0_input(parts, *end, 0);
        kind = lc0_op(parts, *end)->kind;
    }
    return true;
}

Lc0Linear lc0_find_linear(Lc0Parts *parts, Value end, int kernel) {
    Lc0Linear linear = {.matrix = -1, .input = -1, .kernel = kernel};
    const int out = lc0_op(parts, end)->channels;
    Lc0Affine affine;
    if (!lc0_find_affine(parts, &end, &affine)) return linear;
    OpKind kind = lc0_op(parts, end)->kind;
    const Op *op = lc0_op(parts, end);
    if (kind != OP_DENSE && lc0_expect(parts, end, OP_CONV) < 0) return linear;
    int height = kind == OP_CONV ? op->kernel_h : 1, width = kind == OP_CONV ? op->kernel_w : 1;
    if (height != kernel || width != kernel) {
        lc0_parts_refuse(parts, end, "a kernel of %dx%d, where lc0 has one of %dx%d", height, width,
                         kernel, kernel);
        return linear;
    }
    if (kind == OP_CONV && op->dilation != 1) lc0_parts_refuse(parts, end, "a dilated convolution");
    linear.input = op->inputs[0];
    linear.in = lc0_op(parts, op->inputs[0])->channels;
    linear.out = out;
    linear.weights = lc0_values(parts, end, 0);
    linear.biases = affine.shift;
    linear.has_bias = affine.shifts;
    if (affine.scales) linear.weights = scaled(parts, &linear, affine.gain);
    if (lc0_parts_good(parts)) linear.matrix = end;
    return linear;
}

/* If the op multiplies relu(x) by itself, returns x; otherwise -1. */
static Value squared_relu(const Lc0Parts *parts, Value value) {
    Value a = lc0_input(parts, value, 0);
    const Op *op = lc0_op(parts, a);
    bool squares = lc0_op(parts, value)->kind == OP_MULTIPLY && a == lc0_input(parts, value, 1) &&
                   op->kind == OP_ACTIVATION && op->activation == ACTIVATION_RELU;
    return squares ? op->inputs[0] : -1;
}

Lc0Activation lc0_find_activation(Lc0Parts *parts, Value *end) {
    static const Lc0Activation KINDS[] = {[ACTIVATION_IDENTITY] = LC0_ACTIVATION_NONE,
                                          [ACTIVATION_RELU] = LC0_ACTIVATION_RELU,
                                          [ACTIVATION_MISH] = LC0_ACTIVATION_MISH,
                                          [ACTIVATION_SILU] = LC0_ACTIVATION_SWISH,
                                          [ACTIVATION_TANH] = LC0_ACTIVATION_TANH};
    Value relu = squared_relu(parts, *end);
    const Op *op = lc0_op(parts, *end);
    Lc0Activation found = LC0_ACTIVATION_NONE;
    if (relu >= 0) {
        *end = relu;
        return LC0_ACTIVATION_RELU_2;
    }
    if (op->kind == OP_SIGMOID) found = LC0_ACTIVATION_SIGMOID;
    if (op->kind == OP_ACTIVATION) found = KINDS[op->activation];
    if (op->kind == OP_SIGMOID || op->kind == OP_ACTIVATION) *end = op->inputs[0];
    return found;
}

void lc0_agree(Lc0Parts *parts, Value at, bool *known, Lc0Activation *kept, Lc0Activation found,
               const char *what) {
    if (!*known) *kept = found;
    *known = true;
    if (*kept != found)
        lc0_parts_refuse(parts, at, "another activation than before it; lc0 has only one for %s",
                         what);
}

void lc0_find_net_activation(Lc0Parts *parts, Value *end) {
    Value at = *end;
    if (!lc0_parts_good(parts)) return;
    Lc0Activation found = lc0_find_activation(parts, end);
    if (found != LC0_ACTIVATION_RELU && found != LC0_ACTIVATION_MISH)
        lc0_parts_refuse(parts, at,
                         "its activation is neither relu nor mish, which lc0 wants here");
    lc0_agree(parts, at, &parts->has_activation, &parts->format.activation, found,
              "all layers except those inside encoders");
}

void lc0_put_linear(Lc0Parts *parts, const Lc0Linear *linear, const char *weights,
                    const char *biases) {
    if (!lc0_parts_good(parts)) return;
    size_t area = (size_t)(linear->kernel * linear->kernel), in = (size_t)linear->in,
           out = (size_t)linear->out;
    const float *values = linear->weights;
    if (area > 1) { /* (out, kernel, kernel, in) to (out, in, kernel, kernel) */
        float *turned = lc0_parts_room(parts, out * in * area);
        for (size_t i = 0; turned && i < out * in * area; i++)
            turned[i] = values[(i / (in * area) * area + i % area) * in + i / area % in];
        values = turned;
    }
    if (!values) return;
    lc0_put_tensor(&parts->sink, weights, values, out * in * area);
    if (biases) lc0_put_tensor(&parts->sink, biases, linear->biases, out);
}
