#include "nn/infer_reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "nn/infer_kernels.h"
#include "nn/op.h"

struct Reference {
    Net *net;
    const Program *program;
    int height, width;
    float **values; /* by value; inputs' are the caller's */
    const float *mask_source;
    int mask_channel, mask_channels;
    float *mask, *area, *saved; /* for ops that run by their class */
};

/* Rows of c numbers a sample: cells, list rows or one. */
static int rows_of(const Reference *reference, const Op *op) {
    return op->shape == KIND_SPATIAL ? reference->height * reference->width
           : op->shape == KIND_LIST  ? op->rows
                                     : 1;
}

static float mask_at(const Reference *reference, int row) {
    if (!reference->mask_source) return 1.0f;
    return reference->mask_source[(size_t)row * (size_t)reference->mask_channels +
                                  (size_t)reference->mask_channel];
}

static void conv_cell(const Reference *reference, const Op *op, const float *weights,
                      const float *image, int in, int y, int x, float *to) {
    for (int o = 0; o < op->channels; o++) {
        double sum = 0.0;
        for (int a = 0; a < op->kernel_h * op->kernel_w; a++) {
            int row = y + a / op->kernel_w - (op->kernel_h - 1) / 2;
            int column = x + a % op->kernel_w - (op->kernel_w - 1) / 2;
            if (row < 0 || row >= reference->height || column < 0 || column >= reference->width)
                continue;
            const float *from = image + (size_t)(row * reference->width + column) * (size_t)in;
            const float *w = weights + (size_t)(o * op->kernel_h * op->kernel_w + a) * (size_t)in;
            for (int i = 0; i < in; i++)
                sum += (double)from[i] * (double)w[i];
        }
        to[o] = (float)sum;
    }
}

static void run_conv(const Reference *reference, const Op *op, const float *x, int in, float *y,
                     int count) {
    const float *weights = net_values_const(reference->net, op->parameters[0]);
    int cells = reference->height * reference->width;
    for (int n = 0; n < count; n++) {
        const float *image = x + (size_t)n * (size_t)cells * (size_t)in;
        for (int cell = 0; cell < cells; cell++) {
            conv_cell(reference, op, weights, image, in, cell / reference->width,
                      cell % reference->width,
                      y + ((size_t)n * (size_t)cells + (size_t)cell) * (size_t)op->channels);
        }
    }
}

static void run_dense(const Reference *reference, const Op *op, const float *x, int in, float *y,
                      int rows) {
    const float *weights = net_values_const(reference->net, op->parameters[0]);
    for (int row = 0; row < rows; row++) {
        for (int o = 0; o < op->channels; o++) {
            double sum = 0.0;
            for (int i = 0; i < in; i++)
                sum += (double)x[(size_t)row * (size_t)in + (size_t)i] *
                       (double)weights[(size_t)o * (size_t)in + (size_t)i];
            y[(size_t)row * (size_t)op->channels + (size_t)o] = (float)sum;
        }
    }
}

static void run_pool(const Reference *reference, const Op *op, const float *x, int in, float *y,
                     int count) {
    int cells = reference->height * reference->width;
    for (int n = 0; n < count; n++) {
        for (int c = 0; c < in; c++) {
            double sum = 0.0, area = 0.0;
            float maximum = -INFINITY;
            for (int cell = 0; cell < cells; cell++) {
                int row = n * cells + cell;
                float value = x[(size_t)row * (size_t)in + (size_t)c];
                if (mask_at(reference, row) == 0.0f) continue;
                area += 1.0;
                sum += (double)value;
                if (value > maximum) maximum = value;
            }
            double mean = area > 0.0 ? sum / area : 0.0, edge = sqrt(area) - 14.0;
            float *to = y + (size_t)n * 3 * (size_t)in + (size_t)c;
            to[0] = (float)mean;
            to[in] = (float)(mean * edge / 10.0);
            to[2 * in] = op->pool == POOL_MEAN_SCALE_MAX
                             ? (area > 0.0 ? maximum : 0.0f)
                             : (float)(mean * (edge * edge / 100.0 - 0.1));
        }
    }
}

/* Ops whose output number k of a row depends on number k of the row of x (and on the other
 * operand). */
static float one(const Reference *reference, const Op *op, float x, const float *other, int row,
                 int rows, int c) {
    const int *parameters = op->parameters;
    const Net *net = reference->net;
    size_t vector = (size_t)(row / rows) * (size_t)op->channels + (size_t)c;
    switch (op->kind) {
    case OP_SCALE:
        return x * net_values_const(net, parameters[0])[c];
    case OP_BIAS:
        return x + net_values_const(net, parameters[0])[c];
    case OP_BATCH_NORM: {
        double gamma = (double)net_values_const(net, parameters[0])[c],
               beta = (double)net_values_const(net, parameters[1])[c];
        double mean = (double)net_values_const(net, parameters[2])[c],
               variance = (double)net_values_const(net, parameters[3])[c];
        return (float)(((double)x - mean) / sqrt(variance + (double)op->epsilon) * gamma + beta);
    }
    case OP_ACTIVATION:
        return infer_activate(op->activation, x);
    case OP_ADD:
        return x + other[(size_t)row * (size_t)op->channels + (size_t)c];
    case OP_ADD_BROADCAST:
        return x + other[vector];
    case OP_MUL_BROADCAST:
        return x * other[vector];
    case OP_MASK:
        return mask_at(reference, row) == 0.0f ? 0.0f : x;
    case OP_INPUT:
    case OP_CONSTANT:
    case OP_CONV:
    case OP_DENSE:
    case OP_GLOBAL_POOL:
    case OP_CONCAT:
    case OP_SLICE:
    case OP_MULTIPLY:
    case OP_RMS_NORM:
    case OP_ROTARY:
    case OP_ATTENTION:
    case OP_KIND_COUNT:
        break;
    }
    return x;
}

static bool runs_by_class(OpKind kind) {
    return kind == OP_MULTIPLY || kind == OP_RMS_NORM || kind == OP_ROTARY || kind == OP_ATTENTION;
}

static void run_class(const Reference *reference, const Op *op, float *y, int count) {
    OpCall call = {.op = op,
                   .n = count,
                   .active = count,
                   .height = reference->height,
                   .width = reference->width,
                   .rows = rows_of(reference, op),
                   .mask = reference->mask,
                   .area = reference->area,
                   .saved = reference->saved,
                   .y = y};
    for (int i = 0; i < 2 && op->inputs[i] >= 0; i++) {
        call.x[i] = reference->values[op->inputs[i]];
        call.in_channels[i] = program_op(reference->program, op->inputs[i])->channels;
    }
    call.in_rows = call.rows;
    if (op->parameters[0] >= 0)
        call.parameters[0] = net_values_const(reference->net, op->parameters[0]);
    op_class(op->kind)->forward(&call);
}

static void run_rows(const Reference *reference, const Op *op, const float *x, const float *other,
                     int in, int other_in, float *y, int count) {
    int rows = rows_of(reference, op), channels = op->channels;
    for (int row = 0; row < count * rows; row++) {
        const float *from = x + (size_t)row * (size_t)in;
        float *to = y + (size_t)row * (size_t)channels;
        if (op->kind == OP_CONCAT) {
            memcpy(to, from, (size_t)in * sizeof *to);
            memcpy(to + in, other + (size_t)row * (size_t)other_in, (size_t)other_in * sizeof *to);
        } else if (op->kind == OP_SLICE) {
            memcpy(to, from + op->first, (size_t)channels * sizeof *to);
        } else {
            for (int c = 0; c < channels; c++)
                to[c] = one(reference, op, from[c], other, row, rows, c);
        }
    }
}

static void run_op(Reference *reference, Value v, int count) {
    const Op *op = program_op(reference->program, v);
    float *y = reference->values[v];
    int rows = count * rows_of(reference, op);
    if (op->kind == OP_INPUT) return;
    if (op->kind == OP_CONSTANT) {
        size_t size = (size_t)op->rows * (size_t)op->channels;
        for (int n = 0; n < count; n++) {
            memcpy(y + (size_t)n * size, net_values_const(reference->net, op->parameters[0]),
                   size * sizeof *y);
        }
        return;
    }
    const float *x = reference->values[op->inputs[0]];
    const float *other = op->inputs[1] >= 0 ? reference->values[op->inputs[1]] : NULL;
    int in = program_op(reference->program, op->inputs[0])->channels;
    int other_in = other ? program_op(reference->program, op->inputs[1])->channels : 0;
    if (op->kind == OP_CONV)
        run_conv(reference, op, x, in, y, count);
    else if (op->kind == OP_DENSE)
        run_dense(reference, op, x, in, y, rows);
    else if (runs_by_class(op->kind))
        run_class(reference, op, y, count);
    else if (op->kind == OP_GLOBAL_POOL)
        run_pool(reference, op, x, in, y, count);
    else
        run_rows(reference, op, x, other, in, other_in, y, count);
}

void reference_run(Reference *reference, float *const *inputs, int count) {
    Value source = -1;
    program_mask_source(reference->program, &source, &reference->mask_channel);
    for (int i = 0; i < program_input_count(reference->program); i++) {
        reference->values[program_input_value(reference->program, i)] = inputs[i];
    }
    reference->mask_source = source >= 0 ? reference->values[source] : NULL;
    reference->mask_channels = source >= 0 ? program_op(reference->program, source)->channels : 0;
    size_t cells = (size_t)reference->height * (size_t)reference->width;
    for (size_t n = 0; n < (size_t)count; n++) {
        reference->area[n] = 0;
        for (size_t row = n * cells; row < (n + 1) * cells; row++) {
            reference->mask[row] = mask_at(reference, (int)row) != 0.0f;
            reference->area[n] += reference->mask[row];
        }
    }
    for (Value v = 0; v < program_op_count(reference->program); v++)
        run_op(reference, v, count);
}

const float *reference_value(const Reference *reference, Value value) {
    return reference->values[value];
}

/* Masks, and room for what ops keep. */
static Status make_room(Reference *reference, int batch, Error *err) {
    int cells = reference->height * reference->width;
    size_t saved = 1;
    for (Value v = 0; v < program_op_count(reference->program); v++) {
        const Op *op = program_op(reference->program, v);
        const OpClass *class = runs_by_class(op->kind) ? op_class(op->kind) : NULL;
        size_t wanted = class && class->saved ? class->saved(op, batch, cells) : 0;
        if (wanted > saved) saved = wanted;
    }
    Status status = mem_new((size_t)batch * (size_t)cells, sizeof(float), &reference->mask, err);
    if (!status) status = mem_new((size_t)batch, sizeof(float), &reference->area, err);
    if (!status) status = mem_new(saved, sizeof(float), &reference->saved, err);
    return status;
}

Status reference_new(const Net *net, int batch, int height, int width, Reference **out,
                     Error *err) {
    Reference *reference = NULL;
    Status status = mem_new(1, sizeof *reference, &reference, err);
    if (status) return status;
    reference->height = height;
    reference->width = width;
    status = net_copy(net, &reference->net, err);
    if (!status) {
        reference->program = net_program(reference->net);
        status = mem_new((size_t)program_op_count(reference->program), sizeof *reference->values,
                         &reference->values, err);
    }
    if (!status) status = make_room(reference, batch, err);
    for (Value v = 0; !status && v < program_op_count(reference->program); v++) {
        const Op *op = program_op(reference->program, v);
        if (op->kind == OP_INPUT) continue;
        size_t count = (size_t)batch * (size_t)rows_of(reference, op) * (size_t)op->channels;
        status = mem_new_aligned(count, sizeof(float), &reference->values[v], err);
    }
    if (status) {
        reference_free(reference);
        reference = NULL;
    }
    *out = reference;
    return status;
}

void reference_free(Reference *reference) {
    if (!reference) return;
    for (Value v = 0; reference->values && v < program_op_count(reference->program); v++) {
        if (program_op(reference->program, v)->kind != OP_INPUT) free(reference->values[v]);
    }
    free(reference->values);
    free(reference->mask);
    free(reference->area);
    free(reference->saved);
    net_free(reference->net);
    free(reference);
}
