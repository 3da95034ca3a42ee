#include "nn/program.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    INPUTS_MOST = 8,
    CHANNELS_MOST = 1 << 16,
    ROWS_MOST = 1 << 16,
    LIST_MOST = 1 << 24, /* numbers of a list, which a file of few weights can ask for */
    OPS_MOST = 4000
};

struct Program {
    Op *ops;
    size_t op_count, op_capacity;
    ParameterSpec *parameters;
    size_t parameter_count, parameter_capacity;
    Value inputs[INPUTS_MOST], outputs[PROGRAM_OUTPUTS_MOST];
    char output_names[PROGRAM_OUTPUTS_MOST][64];
    int input_count, output_count;
    Value mask_input;
    int mask_channel;
    Error fault;
};

Status program_new(Program **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (!status) (*out)->mask_input = -1;
    return status;
}

void program_free(Program *program) {
    if (!program) return;
    for (size_t i = 0; i < program->parameter_count; i++)
        free(program->parameters[i].given);
    free(program->parameters);
    free(program->ops);
    free(program);
}

Status program_status(const Program *program, Error *err) {
    if (!program->fault.status) return OK;
    return fail(err, program->fault.status, "%s", program->fault.message);
}

static Value fault(Program *program, const char *name, const char *what) {
    if (!program->fault.status)
        fail(&program->fault, ERR_ARGUMENT, "net, at \"%s\": %s", name, what);
    return -1;
}

static bool is_value(const Program *program, Value value) {
    return value >= 0 && (size_t)value < program->op_count;
}

static int input_count_of(OpKind kind) {
    if (kind == OP_INPUT || kind == OP_CONSTANT) return 0;
    return kind == OP_ADD || kind == OP_ADD_BROADCAST || kind == OP_MUL_BROADCAST ||
                   kind == OP_CONCAT || kind == OP_MULTIPLY
               ? 2
               : 1;
}

/* A new op with the first input's kind and size; NULL after a fault. */
static Op *add_op(Program *program, OpKind kind, const char *name, Value x, Value other) {
    if (program->fault.status) return NULL;
    int wanted = input_count_of(kind);
    if ((wanted > 0 && !is_value(program, x)) || (wanted > 1 && !is_value(program, other))) {
        fault(program, name, "an input is not a value of this program");
        return NULL;
    }
    if (strlen(name) >= sizeof(((Op *)0)->name)) {
        fault(program, name, "the name is too long");
        return NULL;
    }
    if (program->op_count >= OPS_MOST ||
        mem_grow(&program->ops, &program->op_capacity, program->op_count + 1, sizeof *program->ops,
                 NULL)) {
        fault(program, name, "no room for more ops");
        return NULL;
    }
    Op *op = &program->ops[program->op_count++];
    *op = (Op){.kind = kind, .inputs = {x, other}, .parameters = {-1, -1, -1, -1}};
    snprintf(op->name, sizeof op->name, "%s", name);
    if (x < 0) return op;
    const Op *input = &program->ops[x];
    op->shape = input->shape;
    op->channels = input->channels;
    op->rows = input->rows;
    return op;
}

/* Of an op that is complete. */
static Value value_of(Program *program, const Op *op) {
    if (op->shape == KIND_LIST && op->channels > LIST_MOST / op->rows)
        return fault(program, op->name, "a list of too many numbers");
    return (Value)(op - program->ops);
}

/* A parameter "op.part"; its index in the op's slot. */
static ParameterSpec *add_parameter(Program *program, Op *op, int slot, const char *part, int rank,
                                    const int *dims) {
    if (mem_grow(&program->parameters, &program->parameter_capacity, program->parameter_count + 1,
                 sizeof *program->parameters, NULL)) {
        fault(program, op->name, "no room for more parameters");
        return NULL;
    }
    ParameterSpec *spec = &program->parameters[program->parameter_count];
    *spec = (ParameterSpec){.rank = rank, .count = 1, .trained = true};
    snprintf(spec->name, sizeof spec->name, "%s.%s", op->name, part);
    for (size_t i = 0; i < program->parameter_count; i++) {
        if (strcmp(program->parameters[i].name, spec->name) != 0) continue;
        fault(program, spec->name, "two parameters have this name");
        return NULL;
    }
    for (int i = 0; i < rank; i++) {
        spec->dims[i] = dims[i];
        spec->count *= (size_t)dims[i];
    }
    op->parameters[slot] = (int)program->parameter_count++;
    return spec;
}

Value program_input(Program *program, const char *name, ValueKind kind, int channels) {
    if (program->input_count == INPUTS_MOST || channels < 1 || channels > CHANNELS_MOST ||
        kind == KIND_LIST)
        return fault(program, name, "an impossible input");
    if (program_find_input(program, name) >= 0)
        return fault(program, name, "two inputs have this name");
    Op *op = add_op(program, OP_INPUT, name, -1, -1);
    if (!op) return -1;
    op->shape = kind;
    op->channels = channels;
    return program->inputs[program->input_count++] = value_of(program, op);
}

void program_set_mask(Program *program, Value spatial_input, int channel) {
    if (!is_value(program, spatial_input) || program->ops[spatial_input].kind != OP_INPUT ||
        program->ops[spatial_input].shape != KIND_SPATIAL || channel < 0 ||
        channel >= program->ops[spatial_input].channels) {
        fault(program, "mask", "the mask is a channel of a spatial input");
        return;
    }
    program->mask_input = spatial_input;
    program->mask_channel = channel;
}

/* Copies what the parameter is at first. */
static bool start_with(Program *program, const Op *op, ParameterSpec *spec, const float *values) {
    spec->init = INIT_GIVEN;
    spec->given = malloc(spec->count * sizeof *spec->given);
    if (spec->given)
        memcpy(spec->given, values, spec->count * sizeof *spec->given);
    else
        fault(program, op->name, "no memory");
    return spec->given != NULL;
}

Value program_constant(Program *program, const char *name, int rows, int channels,
                       const float *values) {
    if (rows < 1 || rows > ROWS_MOST || channels < 1 || channels > CHANNELS_MOST)
        return fault(program, name, "an impossible constant");
    Op *op = add_op(program, OP_CONSTANT, name, -1, -1);
    if (!op) return -1;
    op->shape = KIND_LIST;
    op->rows = rows;
    op->channels = channels;
    ParameterSpec *spec = add_parameter(program, op, 0, "values", 2, (int[]){rows, channels});
    if (!spec) return -1;
    spec->trained = false;
    spec->init = INIT_ZERO;
    return values && !start_with(program, op, spec, values) ? -1 : value_of(program, op);
}

static void set_weights(ParameterSpec *spec, double deviation, double fan_in) {
    if (!spec) return;
    spec->decayed = true;
    spec->init = deviation == 0 ? INIT_ZERO : INIT_NORMAL;
    spec->deviation = deviation < 0 ? sqrt(2 / fan_in) * -deviation : deviation;
}

Value program_conv(Program *program, const char *name, Value x, int out_channels, int kernel,
                   double deviation) {
    Op *op = add_op(program, OP_CONV, name, x, -1);
    if (!op) return -1;
    int in = op->channels;
    if (op->shape != KIND_SPATIAL || kernel < 1 || kernel > 19 || kernel % 2 == 0 ||
        out_channels < 1 || out_channels > CHANNELS_MOST)
        return fault(program, name, "an impossible convolution");
    op->channels = out_channels;
    op->kernel_h = op->kernel_w = kernel;
    ParameterSpec *spec =
        add_parameter(program, op, 0, "weight", 4, (int[]){out_channels, kernel, kernel, in});
    set_weights(spec, deviation, (double)in * kernel * kernel);
    return value_of(program, op);
}

Value program_dense(Program *program, const char *name, Value x, int out_channels,
                    double deviation) {
    Op *op = add_op(program, OP_DENSE, name, x, -1);
    if (!op) return -1;
    int in = op->channels;
    if (out_channels < 1 || out_channels > CHANNELS_MOST)
        return fault(program, name, "an impossible dense layer");
    op->channels = out_channels;
    set_weights(add_parameter(program, op, 0, "weight", 2, (int[]){out_channels, in}), deviation,
                in);
    return value_of(program, op);
}

static Value scale(Program *program, const char *name, Value x, double start, bool trained) {
    Op *op = add_op(program, OP_SCALE, name, x, -1);
    if (!op) return -1;
    ParameterSpec *spec = add_parameter(program, op, 0, "gain", 1, &op->channels);
    if (!spec) return -1;
    spec->trained = trained;
    spec->init = start == 0 ? INIT_ZERO : INIT_ONE;
    if (start == 0 || start == 1) return value_of(program, op);
    spec->init = INIT_GIVEN;
    spec->given = malloc(spec->count * sizeof *spec->given);
    if (!spec->given) return fault(program, name, "no memory");
    for (size_t i = 0; i < spec->count; i++)
        spec->given[i] = (float)start;
    return value_of(program, op);
}

Value program_scale(Program *program, const char *name, Value x, double start) {
    return scale(program, name, x, start, true);
}

Value program_fixed_scale(Program *program, const char *name, Value x, double gain) {
    return scale(program, name, x, gain, false);
}

Value program_bias(Program *program, const char *name, Value x) {
    Op *op = add_op(program, OP_BIAS, name, x, -1);
    if (!op) return -1;
    add_parameter(program, op, 0, "bias", 1, &op->channels);
    return value_of(program, op);
}

/* As it is kept. */
static bool is_epsilon(double epsilon) {
    return (float)epsilon > 0 && (float)epsilon <= 1;
}

Value program_batch_norm(Program *program, const char *name, Value x, double epsilon,
                         double momentum) {
    return program_batch_norm_of(program, name, x,
                                 (BatchNormKind){epsilon, momentum, false, false});
}

Value program_batch_norm_of(Program *program, const char *name, Value x, BatchNormKind kind) {
    Op *op = add_op(program, OP_BATCH_NORM, name, x, -1);
    if (!op) return -1;
    if (op->shape == KIND_LIST || !is_epsilon(kind.epsilon) ||
        !(kind.momentum >= 0 && (float)kind.momentum < 1))
        return fault(program, name, "an impossible batch norm");
    op->epsilon = (float)kind.epsilon;
    op->momentum = (float)kind.momentum;
    op->renorm = kind.renorm;
    static const char *const PARTS[] = {"gamma", "beta", "mean", "variance"};
    for (int i = 0; i < 4; i++) {
        ParameterSpec *spec = add_parameter(program, op, i, PARTS[i], 1, &op->channels);
        if (!spec) return -1;
        spec->trained = i == 1 || (i == 0 && !kind.no_gain);
        spec->init = i == 0 || i == 3 ? INIT_ONE : INIT_ZERO;
    }
    return value_of(program, op);
}

Value program_activation(Program *program, Value x, Activation activation) {
    Op *op = add_op(program, OP_ACTIVATION, "activation", x, -1);
    if (!op) return -1;
    if ((unsigned)activation > ACTIVATION_TANH)
        return fault(program, "activation", "an unknown activation");
    op->activation = activation;
    return value_of(program, op);
}

static Value same_shape(Program *program, OpKind kind, const char *name, Value a, Value b) {
    Op *op = add_op(program, kind, name, a, b);
    if (!op) return -1;
    const Op *other = &program->ops[b];
    if (op->shape != other->shape || op->channels != other->channels || op->rows != other->rows)
        return fault(program, name, "the shapes differ");
    return value_of(program, op);
}

Value program_add(Program *program, Value a, Value b) {
    return same_shape(program, OP_ADD, "add", a, b);
}

Value program_multiply(Program *program, Value a, Value b) {
    return same_shape(program, OP_MULTIPLY, "multiply", a, b);
}

static Value broadcast(Program *program, OpKind kind, const char *name, Value x, Value vector) {
    Op *op = add_op(program, kind, name, x, vector);
    if (!op) return -1;
    const Op *other = &program->ops[vector];
    if (op->shape == KIND_VECTOR || other->shape != KIND_VECTOR || op->channels != other->channels)
        return fault(program, name,
                     "a spatial value or list and a vector of as many channels were wanted");
    return value_of(program, op);
}

Value program_add_broadcast(Program *program, Value x, Value vector) {
    return broadcast(program, OP_ADD_BROADCAST, "add_broadcast", x, vector);
}

Value program_mul_broadcast(Program *program, Value x, Value vector) {
    return broadcast(program, OP_MUL_BROADCAST, "mul_broadcast", x, vector);
}

Value program_mask(Program *program, Value x) {
    Op *op = add_op(program, OP_MASK, "mask", x, -1);
    if (!op) return -1;
    return op->shape == KIND_SPATIAL ? value_of(program, op)
                                     : fault(program, "mask", "only spatial values are masked");
}

Value program_global_pool(Program *program, Value x, PoolKind kind) {
    Op *op = add_op(program, OP_GLOBAL_POOL, "pool", x, -1);
    if (!op) return -1;
    if (op->shape != KIND_SPATIAL || op->channels > CHANNELS_MOST / 3)
        return fault(program, "pool", "only spatial values, of not too many channels, are pooled");
    op->shape = KIND_VECTOR;
    op->channels *= 3;
    op->pool = kind;
    return value_of(program, op);
}

Value program_concat(Program *program, Value a, Value b) {
    Op *op = add_op(program, OP_CONCAT, "concat", a, b);
    if (!op) return -1;
    const Op *other = &program->ops[b];
    if (op->shape != other->shape || op->rows != other->rows)
        return fault(program, "concat", "the kinds differ");
    if (op->channels > CHANNELS_MOST - other->channels)
        return fault(program, "concat", "too many channels");
    op->channels += other->channels;
    return value_of(program, op);
}

Value program_slice(Program *program, Value x, int first, int count) {
    Op *op = add_op(program, OP_SLICE, "slice", x, -1);
    if (!op) return -1;
    if (first < 0 || count < 1 || first > op->channels - count)
        return fault(program, "slice", "the channels are not there");
    op->first = first;
    op->channels = count;
    return value_of(program, op);
}

Value program_rms_norm(Program *program, const char *name, Value x, double epsilon,
                       bool whole_board) {
    Op *op = add_op(program, OP_RMS_NORM, name, x, -1);
    if (!op) return -1;
    if (!is_epsilon(epsilon) || (whole_board && op->shape != KIND_SPATIAL))
        return fault(program, name, "an impossible RMS norm");
    op->epsilon = (float)epsilon;
    op->whole_board = whole_board;
    ParameterSpec *spec = add_parameter(program, op, 0, "gain", 1, &op->channels);
    if (!spec) return -1;
    spec->init = INIT_ONE;
    return value_of(program, op);
}

/* Channels of queries, keys and values together; 0: an impossible shape. */
static int attention_channels(const Op *x, AttentionShape shape) {
    enum { HEADS_MOST = 256, HEAD_CHANNELS_MOST = 4096 };
    if (x->shape != KIND_SPATIAL || shape.kv_heads < 1 || shape.heads < shape.kv_heads ||
        shape.heads > HEADS_MOST || shape.heads % shape.kv_heads != 0 || shape.query_channels < 1 ||
        shape.query_channels > HEAD_CHANNELS_MOST || shape.value_channels < 1 ||
        shape.value_channels > HEAD_CHANNELS_MOST)
        return 0;
    return (shape.heads + shape.kv_heads) * shape.query_channels +
           shape.kv_heads * shape.value_channels;
}

Value program_rotary(Program *program, const char *name, Value x, AttentionShape shape,
                     const float *frequencies, bool trained) {
    Op *op = add_op(program, OP_ROTARY, name, x, -1);
    if (!op) return -1;
    if (attention_channels(op, shape) != op->channels || shape.query_channels % 2 != 0)
        return fault(program, name, "an impossible rotary encoding");
    op->attention = shape;
    ParameterSpec *spec = add_parameter(program, op, 0, "rates", 3,
                                        (int[]){shape.kv_heads, shape.query_channels / 2, 2});
    if (!spec) return -1;
    spec->trained = trained;
    return frequencies && !start_with(program, op, spec, frequencies) ? -1 : value_of(program, op);
}

Value program_attention(Program *program, Value x, AttentionShape shape) {
    Op *op = add_op(program, OP_ATTENTION, "attention", x, -1);
    if (!op) return -1;
    if (attention_channels(op, shape) != op->channels)
        return fault(program, "attention", "an impossible attention");
    op->attention = shape;
    op->channels = shape.heads * shape.value_channels;
    return value_of(program, op);
}

void program_output(Program *program, const char *name, Value x) {
    if (program->fault.status) return;
    if (!is_value(program, x) || program->output_count == PROGRAM_OUTPUTS_MOST ||
        strlen(name) >= 64 || program_find_output(program, name) >= 0) {
        fault(program, name, "an impossible output");
        return;
    }
    snprintf(program->output_names[program->output_count], 64, "%s", name);
    program->outputs[program->output_count++] = x;
}

int program_op_count(const Program *program) {
    return (int)program->op_count;
}

const Op *program_op(const Program *program, Value value) {
    return &program->ops[value];
}

int program_parameter_count(const Program *program) {
    return (int)program->parameter_count;
}

const ParameterSpec *program_parameter(const Program *program, int index) {
    return &program->parameters[index];
}

int program_input_count(const Program *program) {
    return program->input_count;
}

Value program_input_value(const Program *program, int index) {
    return program->inputs[index];
}

int program_find_input(const Program *program, const char *name) {
    for (int i = 0; i < program->input_count; i++) {
        if (strcmp(program->ops[program->inputs[i]].name, name) == 0) return i;
    }
    return -1;
}

int program_output_count(const Program *program) {
    return program->output_count;
}

Value program_output_value(const Program *program, int index) {
    return program->outputs[index];
}

const char *program_output_name(const Program *program, int index) {
    return program->output_names[index];
}

int program_find_output(const Program *program, const char *name) {
    for (int i = 0; i < program->output_count; i++) {
        if (strcmp(program->output_names[i], name) == 0) return i;
    }
    return -1;
}

void program_mask_source(const Program *program, Value *input, int *channel) {
    *input = program->mask_input;
    *channel = program->mask_channel;
}

int program_rows(ValueKind kind, int list_rows, int height, int width) {
    return kind == KIND_SPATIAL ? height * width : kind == KIND_LIST ? list_rows : 1;
}

double program_op_multiply_adds(const Program *program, Value value, int height, int width) {
    const Op *op = &program->ops[value];
    double board = (double)height * width;
    if (op->kind == OP_ATTENTION)
        return board * board * op->attention.heads *
               (op->attention.query_channels + op->attention.value_channels);
    if (op->kind != OP_CONV && op->kind != OP_DENSE) return 0;
    return program_rows(op->shape, op->rows, height, width) *
           (double)program->parameters[op->parameters[0]].count;
}

double program_multiply_adds(const Program *program, int height, int width) {
    double total = 0;
    for (size_t i = 0; i < program->op_count; i++)
        total += program_op_multiply_adds(program, (Value)i, height, width);
    return total;
}
