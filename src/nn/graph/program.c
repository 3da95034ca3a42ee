#include "nn/graph/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "nn/ops/op_table.h"

enum {
    INPUTS_MAX = 8,
    /* The maximum number of elements (rows * channels) of a value of the kind KIND_LIST. There is a
     * limit because even a small file can describe a huge list. */
    LIST_MAX = 1 << 24,
    OPS_MAX = 4000
};

struct Program {
    Op *ops;
    size_t op_count, op_capacity;
    ParameterSpec *parameters;
    size_t parameter_count, parameter_capacity;
    json_t *parameter_names; /* an object whose keys are the names */
    Value inputs[INPUTS_MAX], outputs[PROGRAM_OUTPUTS_MAX];
    char output_names[PROGRAM_OUTPUTS_MAX][64];
    int input_count, output_count;
    Value mask_input;
    int mask_channel;
    int only_side; /* what program_only_side() returns */
    Error fault;
};

Status program_new(Program **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (status) return status;
    (*out)->mask_input = -1;
    (*out)->parameter_names = json_object();
    if ((*out)->parameter_names) return OK;
    program_free(*out);
    *out = NULL;
    return fail(err, ERR_MEMORY, "no memory for a program");
}

void program_free(Program *program) {
    if (!program) return;
    for (size_t i = 0; i < program->parameter_count; i++)
        free(program->parameters[i].given);
    json_decref(program->parameter_names);
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

/* Adds a parameter that the definition of an op wants. Its name in `wanted` is short, such as
 * "weight"; in the program the name of the op comes before it: "NAME.weight". */
static bool add_parameter(Program *program, Op *op, int slot, const ParameterSpec *wanted) {
    if (mem_grow(&program->parameters, &program->parameter_capacity, program->parameter_count + 1,
                 sizeof *program->parameters, NULL)) {
        fault(program, op->name, "no room for more parameters");
        return false;
    }
    ParameterSpec *spec = &program->parameters[program->parameter_count];
    *spec = *wanted;
    int length = snprintf(spec->name, sizeof spec->name, "%s.%s", op->name, wanted->name);
    if (length < 0 || (size_t)length >= sizeof spec->name) {
        fault(program, op->name, "the name is too long");
        return false;
    }
    if (json_object_get(program->parameter_names, spec->name)) {
        fault(program, spec->name, "two parameters have this name");
        return false;
    }
    if (json_object_set_new(program->parameter_names, spec->name, json_true())) {
        fault(program, op->name, "no room for a parameter, or its name is not UTF-8 text");
        return false;
    }
    spec->count = 1;
    for (int i = 0; i < spec->rank; i++)
        spec->count *= (size_t)spec->dims[i];
    op->parameters[slot] = (int)program->parameter_count++;
    return true;
}

/* Makes the checks that are the same for all kinds of ops. Returns what is wrong with the op, or
 * NULL. */
static const char *check_op(const Program *program, const OpClass *class, const char *name,
                            const Op *wanted) {
    for (int i = 0; i < class->inputs; i++) {
        if (!is_value(program, wanted->inputs[i])) return "an input is not a value of this program";
    }
    if (strlen(name) >= sizeof wanted->name) return "the name is too long";
    if (class->free_channels && (wanted->channels < 1 || wanted->channels > OP_CHANNELS_MAX))
        return "the number of channels must be 1 to 65536";
    if (program->op_count >= OPS_MAX) return "no room for more ops";
    if (wanted->kind != OP_INPUT) return NULL;
    if (program_find_input(program, name) >= 0) return "two inputs have this name";
    return program->input_count == INPUTS_MAX ? "too many inputs" : NULL;
}

/* Whether an op that needs the weights `wanted` can use the weights `earlier` of another op. Both
 * must be matrices of the same shape, or kernels of k x 1 or 1 x k with the same k and the same
 * channels. The weights of k x 1 and of 1 x k are in the same order. */
static bool weights_serve(const ParameterSpec *earlier, const ParameterSpec *wanted) {
    const int *theirs = earlier->dims, *ours = wanted->dims;
    if (wanted->rank == 2) return theirs[0] == ours[0] && theirs[1] == ours[1];
    bool lines = (theirs[1] == 1 || theirs[2] == 1) && (ours[1] == 1 || ours[2] == 1);
    return lines && theirs[0] == ours[0] && theirs[1] * theirs[2] == ours[1] * ours[2] &&
           theirs[3] == ours[3];
}

/* Lets the op use the weights of an earlier one instead of its own. */
static bool share_weights(Program *program, Op *op, const ParameterSpec *wanted) {
    Value from = op->weights_of;
    bool earlier = is_value(program, from) && &program->ops[from] < op;
    const Op *owner = &program->ops[earlier ? from : 0];
    if (!earlier || owner->kind != op->kind || owner->weights_of ||
        !weights_serve(&program->parameters[owner->parameters[0]], wanted)) {
        fault(program, op->name, "no earlier op has such weights");
        return false;
    }
    op->parameters[0] = owner->parameters[0];
    return true;
}

/* Lets the op's definition set its shape and parameters. */
static bool complete_op(Program *program, Op *op) {
    const OpClass *class = op_class(op->kind);
    ParameterSpec parameters[4] = {{.rank = 0}};
    const Op *inputs[2] = {NULL, NULL};
    for (int i = 0; i < class->inputs; i++)
        inputs[i] = &program->ops[op->inputs[i]];
    if (inputs[0]) {
        op->shape = inputs[0]->shape;
        op->rows = inputs[0]->rows;
        if (!class->free_channels) op->channels = inputs[0]->channels;
    }
    const char *wrong = class->shape ? class->shape(op, inputs, parameters) : NULL;
    if (wrong) {
        fault(program, op->name, wrong);
        return false;
    }
    int side = class->only_side ? class->only_side(op) : 0;
    if (side && program->only_side && side != program->only_side) {
        fault(program, op->name, "parts of the net are for boards of different sizes");
        return false;
    }
    if (side) program->only_side = side;
    if (op->weights_of) return share_weights(program, op, &parameters[0]);
    for (int i = 0; i < 4 && parameters[i].rank; i++) {
        if (!add_parameter(program, op, i, &parameters[i])) return false;
    }
    return true;
}

Value program_add_op(Program *program, const char *name, Op wanted) {
    if (program->fault.status) return -1;
    const OpClass *class = op_class(wanted.kind);
    if (class->fixed_name) name = class->fixed_name;
    const char *wrong = check_op(program, class, name, &wanted);
    if (wrong) return fault(program, name, wrong);
    if (mem_grow(&program->ops, &program->op_capacity, program->op_count + 1, sizeof *program->ops,
                 NULL))
        return fault(program, name, "no room for more ops");
    Op *op = &program->ops[program->op_count++];
    *op = wanted;
    snprintf(op->name, sizeof op->name, "%s", name);
    for (int i = class->inputs; i < 2; i++)
        op->inputs[i] = -1;
    for (int i = 0; i < 4; i++)
        op->parameters[i] = -1;
    if (!complete_op(program, op)) return -1;
    if (op->shape == KIND_LIST && op->channels > LIST_MAX / op->rows)
        return fault(program, name, "the list has too many elements (rows times channels)");
    Value value = (Value)(op - program->ops);
    if (op->kind == OP_INPUT) program->inputs[program->input_count++] = value;
    return value;
}

/* Returns the first parameter of an op. */
static ParameterSpec *parameter_of(Program *program, Value value) {
    return &program->parameters[program->ops[value].parameters[0]];
}

/* Sets the standard deviation of an op's initial weights. For the meaning of `deviation` see
 * program_conv(). */
static Value start_normal(Program *program, Value value, double deviation) {
    if (value < 0) return -1;
    ParameterSpec *spec = parameter_of(program, value);
    double fan_in = (double)(spec->count / (size_t)spec->dims[0]);
    spec->init = deviation == 0 ? INIT_ZERO : INIT_NORMAL;
    spec->deviation = deviation < 0 ? sqrt(2 / fan_in) * -deviation : deviation;
    return value;
}

/* Sets the initial values of an op's first parameter: a copy of `values` or, if that is NULL, the
 * value `same` everywhere. */
static Value start_given(Program *program, Value value, const float *values, double same) {
    if (value < 0) return -1;
    ParameterSpec *spec = parameter_of(program, value);
    spec->init = INIT_GIVEN;
    spec->given = malloc(spec->count * sizeof *spec->given);
    if (!spec->given) return fault(program, program->ops[value].name, "no memory");
    for (size_t i = 0; i < spec->count; i++)
        spec->given[i] = values ? values[i] : (float)same;
    return value;
}

Value program_input(Program *program, const char *name, ValueKind kind, int channels) {
    return program_add_op(program, name,
                          (Op){.kind = OP_INPUT, .shape = kind, .channels = channels});
}

void program_set_mask(Program *program, Value spatial_input, int channel) {
    if (!is_value(program, spatial_input) || program->ops[spatial_input].kind != OP_INPUT ||
        program->ops[spatial_input].shape != KIND_SPATIAL || channel < 0 ||
        channel >= program->ops[spatial_input].channels) {
        fault(program, "mask", "the mask must be a channel of a spatial input");
        return;
    }
    program->mask_input = spatial_input;
    program->mask_channel = channel;
}

Value program_constant(Program *program, const char *name, int rows, int channels,
                       const float *values) {
    const Op op = {.kind = OP_CONSTANT, .rows = rows, .channels = channels};
    Value value = program_add_op(program, name, op);
    return values ? start_given(program, value, values, 0) : value;
}

Value program_learned_constant(Program *program, const char *name, int rows, int channels,
                               double deviation) {
    const Op op = {.kind = OP_CONSTANT, .rows = rows, .channels = channels, .trained = true};
    return start_normal(program, program_add_op(program, name, op), deviation);
}

Value program_conv(Program *program, const char *name, Value x, int out_channels, int kernel,
                   double deviation) {
    return program_conv_of(program, name, x, out_channels, (ConvKind){.height = kernel}, deviation);
}

Value program_conv_of(Program *program, const char *name, Value x, int out_channels, ConvKind kind,
                      double deviation) {
    const Op op = {.kind = OP_CONV,
                   .inputs = {x},
                   .channels = out_channels,
                   .kernel_h = kind.height,
                   .kernel_w = kind.width,
                   .dilation = kind.dilation,
                   .weights_of = kind.weights_of};
    Value value = program_add_op(program, name, op);
    return kind.weights_of ? value : start_normal(program, value, deviation);
}

void program_emphasise_centers(Program *program, double center) {
    for (size_t i = 0; i < program->parameter_count; i++) {
        ParameterSpec *spec = &program->parameters[i];
        if (spec->rank == 4 && spec->dims[1] * spec->dims[2] > 1) spec->center = center;
    }
}

Value program_dense(Program *program, const char *name, Value x, int out_channels,
                    double deviation) {
    const Op op = {.kind = OP_DENSE, .inputs = {x}, .channels = out_channels};
    return start_normal(program, program_add_op(program, name, op), deviation);
}

Value program_dense_of(Program *program, const char *name, Value x, int out_channels,
                       Value weights_of) {
    const Op op = {
        .kind = OP_DENSE, .inputs = {x}, .channels = out_channels, .weights_of = weights_of};
    return program_add_op(program, name, op);
}

static Value scale(Program *program, const char *name, Value x, double start, bool fixed) {
    const Op op = {.kind = OP_SCALE, .inputs = {x}, .fixed = fixed};
    Value value = program_add_op(program, name, op);
    if (value >= 0 && start == 0) parameter_of(program, value)->init = INIT_ZERO;
    return start == 0 || start == 1 ? value : start_given(program, value, NULL, start);
}

Value program_scale(Program *program, const char *name, Value x, double start) {
    return scale(program, name, x, start, false);
}

Value program_fixed_scale(Program *program, const char *name, Value x, double gain) {
    return scale(program, name, x, gain, true);
}

Value program_bias(Program *program, const char *name, Value x) {
    return program_add_op(program, name, (Op){.kind = OP_BIAS, .inputs = {x}});
}

Value program_batch_norm(Program *program, const char *name, Value x, double epsilon,
                         double momentum) {
    return program_batch_norm_of(program, name, x,
                                 (BatchNormKind){epsilon, momentum, false, false});
}

Value program_batch_norm_of(Program *program, const char *name, Value x, BatchNormKind kind) {
    const Op op = {.kind = OP_BATCH_NORM,
                   .inputs = {x},
                   .epsilon = (float)kind.epsilon,
                   .momentum = (float)kind.momentum,
                   .renorm = kind.renorm,
                   .fixed = kind.no_gain};
    return program_add_op(program, name, op);
}

Value program_activation(Program *program, Value x, Activation activation) {
    const Op op = {.kind = OP_ACTIVATION, .inputs = {x}, .activation = activation};
    return program_add_op(program, "", op);
}

Value program_sigmoid(Program *program, Value x) {
    return program_add_op(program, "", (Op){.kind = OP_SIGMOID, .inputs = {x}});
}

Value program_points(Program *program, const char *name, Value x, int side, double deviation) {
    const Op op = {.kind = OP_POINTS, .inputs = {x}, .side = side};
    return start_normal(program, program_add_op(program, name, op), deviation);
}

Value program_prelu(Program *program, const char *name, Value x, double start) {
    Value value = program_add_op(program, name, (Op){.kind = OP_PRELU, .inputs = {x}});
    if (value >= 0) parameter_of(program, value)->value = start;
    return value;
}

static Value add_binary(Program *program, OpKind kind, Value a, Value b) {
    return program_add_op(program, "", (Op){.kind = kind, .inputs = {a, b}});
}

Value program_add(Program *program, Value a, Value b) {
    return add_binary(program, OP_ADD, a, b);
}

Value program_multiply(Program *program, Value a, Value b) {
    return add_binary(program, OP_MULTIPLY, a, b);
}

Value program_add_broadcast(Program *program, Value x, Value vector) {
    return add_binary(program, OP_ADD_BROADCAST, x, vector);
}

Value program_mul_broadcast(Program *program, Value x, Value vector) {
    return add_binary(program, OP_MUL_BROADCAST, x, vector);
}

Value program_concat(Program *program, Value a, Value b) {
    return add_binary(program, OP_CONCAT, a, b);
}

Value program_mask(Program *program, Value x) {
    return program_add_op(program, "", (Op){.kind = OP_MASK, .inputs = {x}});
}

Value program_global_pool(Program *program, Value x, PoolKind kind) {
    return program_add_op(program, "", (Op){.kind = OP_GLOBAL_POOL, .inputs = {x}, .pool = kind});
}

Value program_slice(Program *program, Value x, int first, int count) {
    const Op op = {.kind = OP_SLICE, .inputs = {x}, .channels = count, .first = first};
    return program_add_op(program, "", op);
}

Value program_rms_norm(Program *program, const char *name, Value x, double epsilon,
                       bool whole_board) {
    const Op op = {
        .kind = OP_RMS_NORM, .inputs = {x}, .epsilon = (float)epsilon, .whole_board = whole_board};
    return program_add_op(program, name, op);
}

Value program_rotary(Program *program, const char *name, Value x, AttentionShape shape,
                     const float *frequencies, bool trained) {
    const Op op = {.kind = OP_ROTARY, .inputs = {x}, .attention = shape, .fixed = !trained};
    Value value = program_add_op(program, name, op);
    return frequencies ? start_given(program, value, frequencies, 0) : value;
}

void program_fixed_rotary(double theta, AttentionShape shape, float *frequencies) {
    int pairs = shape.query_channels / 2, half = pairs / 2;
    for (int i = 0; i < shape.kv_heads * pairs; i++) {
        int pair = i % pairs;
        bool by_row = pair < half;
        float rate = (float)pow(theta, -2.0 * (by_row ? pair : pair - half) / pairs);
        frequencies[2 * i] = by_row ? 0 : rate;
        frequencies[2 * i + 1] = by_row ? rate : 0;
    }
}

Value program_attention(Program *program, Value x, AttentionShape shape) {
    return program_add_op(program, "",
                          (Op){.kind = OP_ATTENTION, .inputs = {x}, .attention = shape});
}

void program_output(Program *program, const char *name, Value x) {
    if (program->fault.status) return;
    if (!is_value(program, x) || program->output_count == PROGRAM_OUTPUTS_MAX ||
        strlen(name) >= 64 || program_find_output(program, name) >= 0) {
        fault(program, name,
              "an output is not a value of this program, its name is too long or used twice, or "
              "there are too many outputs");
        return;
    }
    snprintf(program->output_names[program->output_count], 64, "%s", name);
    program->outputs[program->output_count++] = x;
}

int program_only_side(const Program *program) {
    return program->only_side;
}

int program_op_count(const Program *program) {
    return (int)program->op_count;
}

const Op *program_op(const Program *program, Value value) {
    return &program->ops[value];
}

bool program_has_kind(const Program *program, OpKind kind) {
    for (int i = 0; i < program_op_count(program); i++) {
        if (program->ops[i].kind == kind) return true;
    }
    return false;
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
    return op_rows(&(Op){.shape = kind, .rows = list_rows}, height, width);
}

double program_op_multiply_adds(const Program *program, Value value, int height, int width) {
    const Op *op = &program->ops[value];
    const OpClass *class = op_class(op->kind);
    if (!class->multiply_adds) return 0;
    return class->multiply_adds(op, program->ops[op->inputs[0]].channels,
                                op_rows(op, height, width), height * width);
}

double program_multiply_adds(const Program *program, int height, int width) {
    double total = 0;
    for (size_t i = 0; i < program->op_count; i++)
        total += program_op_multiply_adds(program, (Value)i, height, width);
    return total;
}
