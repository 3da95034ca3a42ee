/* A program as JSON and back: one object an op, in order; parameters follow from the ops. Reading
 * calls the builder, so that every check of building holds for text from outside. */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "nn/program.h"

static const char *const KIND_NAMES[OP_KIND_COUNT] = {
    "input",         "constant",   "conv",        "dense",    "scale",
    "bias",          "batch_norm", "activation",  "add",      "add_broadcast",
    "mul_broadcast", "mask",       "global_pool", "concat",   "slice",
    "multiply",      "rms_norm",   "rotary",      "attention"};
static const char *const SHAPE_NAMES[] = {"spatial", "vector", "list", NULL};
static const char *const ACTIVATION_NAMES[] = {"identity", "relu", "mish", "silu", "tanh", NULL};
static const char *const POOL_NAMES[] = {"mean_scale_max", "mean_scale_scale", NULL};

static json_t *write_attention(AttentionShape shape) {
    return json_pack("[i, i, i, i]", shape.heads, shape.kv_heads, shape.query_channels,
                     shape.value_channels);
}

static void write_norm(const Op *op, json_t *object) {
    json_object_set_new(object, "epsilon", json_real((double)op->epsilon));
    if (op->kind == OP_BATCH_NORM)
        json_object_set_new(object, "momentum", json_real((double)op->momentum));
    else
        json_object_set_new(object, "whole_board", json_boolean(op->whole_board));
}

/* What nets seldom are is said only of those that are, so that the others' text stays as it was. */
static void write_rare(const Op *op, const ParameterSpec *first, json_t *object) {
    if (op->kind == OP_BATCH_NORM && op->renorm) json_object_set_new(object, "renorm", json_true());
    if ((op->kind == OP_BATCH_NORM || op->kind == OP_SCALE) && !first->trained)
        json_object_set_new(object, "trained", json_false());
}

static json_t *write_op(const Op *op, const ParameterSpec *first) {
    json_t *object = json_pack("{s:s, s:s, s:i}", "op", KIND_NAMES[op->kind], "name", op->name,
                               "channels", op->channels);
    if (!object) return NULL;
    json_t *inputs = json_array();
    for (int i = 0; i < 2 && op->inputs[i] >= 0; i++)
        json_array_append_new(inputs, json_integer(op->inputs[i]));
    json_object_set_new(object, "inputs", inputs);
    if (op->kind == OP_INPUT)
        json_object_set_new(object, "shape", json_string(SHAPE_NAMES[op->shape]));
    if (op->kind == OP_CONSTANT) json_object_set_new(object, "rows", json_integer(op->rows));
    if (op->kind == OP_CONV) json_object_set_new(object, "kernel", json_integer(op->kernel_h));
    if (op->kind == OP_ACTIVATION)
        json_object_set_new(object, "activation", json_string(ACTIVATION_NAMES[op->activation]));
    if (op->kind == OP_GLOBAL_POOL)
        json_object_set_new(object, "pool", json_string(POOL_NAMES[op->pool]));
    if (op->kind == OP_SLICE) json_object_set_new(object, "first", json_integer(op->first));
    if (op->kind == OP_BATCH_NORM || op->kind == OP_RMS_NORM) write_norm(op, object);
    if (op->kind == OP_ROTARY || op->kind == OP_ATTENTION)
        json_object_set_new(object, "attention", write_attention(op->attention));
    if (op->kind == OP_ROTARY) json_object_set_new(object, "trained", json_boolean(first->trained));
    write_rare(op, first, object);
    return object;
}

Status program_write(const Program *program, StrBuf *out, Error *err) {
    json_t *root = json_object(), *ops = json_array(), *outputs = json_object();
    for (int i = 0; i < program_op_count(program); i++) {
        const Op *op = program_op(program, i);
        json_array_append_new(ops,
                              write_op(op, op->parameters[0] < 0
                                               ? NULL
                                               : program_parameter(program, op->parameters[0])));
    }
    for (int i = 0; i < program_output_count(program); i++)
        json_object_set_new(outputs, program_output_name(program, i),
                            json_integer(program_output_value(program, i)));
    Value mask;
    int channel;
    program_mask_source(program, &mask, &channel);
    json_object_set_new(root, "ops", ops);
    json_object_set_new(root, "outputs", outputs);
    if (mask >= 0) json_object_set_new(root, "mask", json_pack("[i, i]", mask, channel));
    char *text = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    if (!text) return fail(err, ERR_MEMORY, "no memory for the text of a net");
    strbuf_add(out, text);
    free(text);
    return strbuf_status(out, err);
}

static int word_of(const json_t *object, const char *key, const char *const *words) {
    const char *text = json_string_value(json_object_get(object, key));
    for (int i = 0; text && words[i]; i++) {
        if (strcmp(words[i], text) == 0) return i;
    }
    return -1;
}

/* A small whole number; -2, which is no value or channel of any program, for everything else. */
static int index_of(const json_t *value) {
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : -2;
    return number >= 0 && number <= 1 << 20 ? (int)number : -2;
}

static int number_of(const json_t *object, const char *key) {
    return index_of(json_object_get(object, key));
}

static Value input_of(const json_t *object, size_t index) {
    return index_of(json_array_get(json_object_get(object, "inputs"), index));
}

static AttentionShape attention_of(const json_t *object) {
    const json_t *list = json_object_get(object, "attention");
    return (AttentionShape){index_of(json_array_get(list, 0)), index_of(json_array_get(list, 1)),
                            index_of(json_array_get(list, 2)), index_of(json_array_get(list, 3))};
}

static Value read_batch_norm(Program *program, const json_t *object, const char *name, Value x) {
    const BatchNormKind kind = {
        .epsilon = json_number_value(json_object_get(object, "epsilon")),
        .momentum = json_number_value(json_object_get(object, "momentum")),
        .renorm = json_is_true(json_object_get(object, "renorm")),
        .no_gain = json_is_false(json_object_get(object, "trained")),
    };
    return program_batch_norm_of(program, name, x, kind);
}

static Value read_op(Program *program, const json_t *object, OpKind kind, const char *name) {
    int channels = number_of(object, "channels");
    Value a = input_of(object, 0), b = input_of(object, 1);
    double epsilon = json_number_value(json_object_get(object, "epsilon"));
    const json_t *trained = json_object_get(object, "trained");
    int shape = word_of(object, "shape", SHAPE_NAMES),
        activation = word_of(object, "activation", ACTIVATION_NAMES),
        pool = word_of(object, "pool", POOL_NAMES);
    switch (kind) {
    case OP_INPUT:
        return shape < 0 ? -1 : program_input(program, name, (ValueKind)shape, channels);
    case OP_CONSTANT:
        return program_constant(program, name, number_of(object, "rows"), channels, NULL);
    case OP_CONV:
        return program_conv(program, name, a, channels, number_of(object, "kernel"), 0);
    case OP_DENSE:
        return program_dense(program, name, a, channels, 0);
    case OP_SCALE:
        return json_is_false(trained) ? program_fixed_scale(program, name, a, 1)
                                      : program_scale(program, name, a, 1);
    case OP_BIAS:
        return program_bias(program, name, a);
    case OP_BATCH_NORM:
        return read_batch_norm(program, object, name, a);
    case OP_ACTIVATION:
        return activation < 0 ? -1 : program_activation(program, a, (Activation)activation);
    case OP_ADD:
        return program_add(program, a, b);
    case OP_ADD_BROADCAST:
        return program_add_broadcast(program, a, b);
    case OP_MUL_BROADCAST:
        return program_mul_broadcast(program, a, b);
    case OP_MASK:
        return program_mask(program, a);
    case OP_GLOBAL_POOL:
        return pool < 0 ? -1 : program_global_pool(program, a, (PoolKind)pool);
    case OP_CONCAT:
        return program_concat(program, a, b);
    case OP_SLICE:
        return program_slice(program, a, number_of(object, "first"), channels);
    case OP_MULTIPLY:
        return program_multiply(program, a, b);
    case OP_RMS_NORM:
        return program_rms_norm(program, name, a, epsilon,
                                json_is_true(json_object_get(object, "whole_board")));
    case OP_ROTARY:
        return program_rotary(program, name, a, attention_of(object), NULL, json_is_true(trained));
    case OP_ATTENTION:
        return program_attention(program, a, attention_of(object));
    case OP_KIND_COUNT:
        break;
    }
    return -1;
}

static Status read_all(Program *program, const json_t *root, Error *err) {
    size_t index;
    json_t *object, *output;
    const char *output_name;
    json_array_foreach(json_object_get(root, "ops"), index, object) {
        const char *kind = json_string_value(json_object_get(object, "op")),
                   *name = json_string_value(json_object_get(object, "name"));
        int k = 0;
        while (kind && k < OP_KIND_COUNT && strcmp(KIND_NAMES[k], kind) != 0)
            k++;
        if (!kind || !name || k == OP_KIND_COUNT || strlen(name) >= 64)
            return fail(err, ERR_SYNTAX, "op %zu of the net is unknown", index);
        Value value = read_op(program, object, (OpKind)k, name);
        if (program_status(program, err)) return ERR_SYNTAX;
        if (value != (Value)index)
            return fail(err, ERR_SYNTAX, "op %zu (%s) of the net is impossible", index, name);
        if (program_op(program, value)->channels != number_of(object, "channels"))
            return fail(err, ERR_SYNTAX, "op %zu (%s) of the net has the wrong channels", index,
                        name);
    }
    json_object_foreach(json_object_get(root, "outputs"), output_name, output) {
        program_output(program, output_name, index_of(output));
    }
    const json_t *mask = json_object_get(root, "mask");
    if (mask)
        program_set_mask(program, index_of(json_array_get(mask, 0)),
                         index_of(json_array_get(mask, 1)));
    return program_status(program, err);
}

Status program_read(const char *text, size_t length, Program **out, Error *err) {
    *out = NULL;
    json_t *root;
    Program *program = NULL;
    Status status = json_parse(text, length, &root, err);
    if (status) return status;
    if (!json_is_array(json_object_get(root, "ops")) ||
        !json_is_object(json_object_get(root, "outputs")))
        status = fail(err, ERR_SYNTAX, "the net has no list of ops and outputs");
    if (!status) status = program_new(&program, err);
    if (!status) status = read_all(program, root, err);
    json_decref(root);
    if (status) {
        program_free(program);
        return status;
    }
    *out = program;
    return OK;
}
