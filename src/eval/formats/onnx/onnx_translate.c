#include "eval/formats/onnx/onnx_translate.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/formats/onnx/onnx_attention.h"
#include "eval/formats/onnx/onnx_layers.h"
#include "eval/formats/onnx/onnx_places.h"
#include "eval/formats/onnx/onnx_stones.h"
#include "nn/ops/op_table.h"

/* The translation of each op, by OpKind. Inputs have none, because add_inputs() adds them. */
static OnnxTranslation *const TRANSLATIONS[OP_KIND_COUNT] = {
    [OP_CONSTANT] = onnx_constant,
    [OP_CONV] = onnx_conv,
    [OP_DENSE] = onnx_dense,
    [OP_SCALE] = onnx_scale,
    [OP_BIAS] = onnx_bias,
    [OP_BATCH_NORM] = onnx_batch_norm,
    [OP_ACTIVATION] = onnx_activation,
    [OP_ADD] = onnx_add,
    [OP_ADD_BROADCAST] = onnx_add_broadcast,
    [OP_MUL_BROADCAST] = onnx_mul_broadcast,
    [OP_MASK] = onnx_mask,
    [OP_GLOBAL_POOL] = onnx_global_pool,
    [OP_CONCAT] = onnx_join,
    [OP_SLICE] = onnx_part,
    [OP_MULTIPLY] = onnx_multiply,
    [OP_RMS_NORM] = onnx_rms_norm,
    [OP_ROTARY] = onnx_rotary,
    [OP_ATTENTION] = onnx_attention,
    [OP_SIGMOID] = onnx_sigmoid,
    [OP_PRELU] = onnx_prelu,
    [OP_LAYER_NORM] = onnx_layer_norm,
    [OP_POINTS] = onnx_points,
    [OP_CHAIN_POOL] = onnx_chain_pool,
    [OP_DIAGONALS] = onnx_diagonals,
    [OP_SOFTPLUS] = onnx_softplus,
    [OP_PLACE_GATE] = onnx_place_gate,
    [OP_POINTS_VECTOR] = onnx_points_vector,
    [OP_VECTOR_ROWS] = onnx_vector_rows,
    [OP_VECTOR_POINTS] = onnx_vector_points,
    [OP_ATTENTION_TABLES] = onnx_attention_tables,
    [OP_ATTENTION_MAPS] = onnx_attention_maps,
    [OP_CRELU] = onnx_crelu,
    [OP_MIXTURE] = onnx_mixture,
    [OP_QUERIES] = onnx_queries,
    [OP_DROPOUT] = onnx_dropout,
};

/* Describes the value of an op as an input or output of the graph. */
static OnnxPort port_of(const OnnxBuild *build, const char *name, const Op *op) {
    static const char *const NOTES[] = {
        [KIND_SPATIAL] = "samples, channels, rows from the top, columns from the left",
        [KIND_VECTOR] = "samples, channels",
        [KIND_LIST] = "samples, rows of the list, channels"};
    OnnxPort port = {.name = name,
                     .type = ONNX_FLOAT,
                     .rank = 2,
                     .dims = {-1, op->channels},
                     .note = NOTES[op->shape]};
    if (op->shape == KIND_SPATIAL) {
        port.rank = 4;
        port.dims[2] = build->height;
        port.dims[3] = build->width;
    } else if (op->shape == KIND_LIST) {
        port.rank = 3;
        port.dims[1] = op->rows;
        port.dims[2] = op->channels;
    }
    return port;
}

static void add_inputs(const OnnxBuild *build) {
    for (int i = 0; i < program_input_count(build->program); i++) {
        Value value = program_input_value(build->program, i);
        const Op *op = program_op(build->program, value);
        OnnxPort port = port_of(build, op->name, op);
        onnx_add_graph_input(build->graph, &port);
        build->values[value] = onnx_name(op->name);
    }
}

/* Marks the ops on which a wanted output depends. One pass from the last op to the first is enough,
 * because the inputs of an op come before it. */
static void mark_needed(const OnnxBuild *build, const bool *outputs, bool *needed) {
    for (int i = 0; i < program_output_count(build->program); i++) {
        if (outputs[i]) needed[program_output_value(build->program, i)] = true;
    }
    for (Value v = program_op_count(build->program) - 1; v >= 0; v--) {
        const Op *op = program_op(build->program, v);
        for (int i = 0; i < 2 && needed[v]; i++) {
            if (op->inputs[i] >= 0) needed[op->inputs[i]] = true;
        }
    }
}

static Status add_ops(const OnnxBuild *build, const bool *needed, Error *err) {
    for (Value v = 0; v < program_op_count(build->program); v++) {
        const Op *op = program_op(build->program, v);
        if (!needed[v] || op->kind == OP_INPUT) continue;
        if (!TRANSLATIONS[op->kind])
            return fail(err, ERR_UNSUPPORTED, "\"%s\" is %s, for which there is nothing in ONNX",
                        op->name, op_class(op->kind)->phrase);
        onnx_set_prefix(build->graph, op->name);
        build->values[v] = TRANSLATIONS[op->kind](build, op);
    }
    return OK;
}

static void add_outputs(const OnnxBuild *build, const OnnxTranslateSetup *setup) {
    for (int i = 0; i < program_output_count(build->program); i++) {
        if (!setup->outputs[i]) continue;
        Value value = program_output_value(build->program, i);
        OnnxName name = onnx_name(program_output_name(build->program, i));
        OnnxPort port = port_of(build, name.text, program_op(build->program, value));
        OnnxNode node = onnx_node("Identity", &build->values[value]);
        onnx_end_as(build->graph, &node, &name);
        onnx_add_graph_output(build->graph, &port);
    }
}

/* In ONNX, inputs, outputs, constants and the values between them must all have different names.
 * The names that the exporter makes contain '/', and the names of parameters contain '.'. So it is
 * enough that the names of inputs and outputs contain neither, and that they differ. */
static Status check_names(const OnnxBuild *build, const bool *outputs, Error *err) {
    const Program *program = build->program;
    int inputs = program_input_count(program);
    for (int i = 0; i < inputs + program_output_count(program); i++) {
        bool is_input = i < inputs;
        const char *name = is_input ? program_op(program, program_input_value(program, i))->name
                                    : program_output_name(program, i - inputs);
        if (!is_input && !outputs[i - inputs]) continue;
        if (!*name || strpbrk(name, "/."))
            return fail(
                err, ERR_UNSUPPORTED,
                "the net has an %s \"%s\"; in ONNX files made by Aji, a name of an input or "
                "output has at least one character, and no \"/\" or \".\"",
                is_input ? "input" : "output", name);
        if (!is_input && program_find_input(program, name) >= 0)
            return fail(
                err, ERR_UNSUPPORTED,
                "the net has an input and an output \"%s\"; in ONNX their names must differ", name);
    }
    return OK;
}

Status onnx_translate(const Net *net, const OnnxTranslateSetup *setup, OnnxGraph *graph,
                      Error *err) {
    OnnxBuild build = {.graph = graph,
                       .net = net,
                       .program = net_program(net),
                       .height = setup->height,
                       .width = setup->width,
                       .cells = setup->height * setup->width};
    int side = program_only_side(build.program), count = program_op_count(build.program);
    bool *needed = NULL;
    if (side && (setup->height != side || setup->width != side))
        return fail(err, ERR_ARGUMENT, "this net is only for boards of %dx%d, not for %dx%d", side,
                    side, setup->width, setup->height);
    Status status = check_names(&build, setup->outputs, err);
    if (status) return status;
    status = mem_new((size_t)count, sizeof *build.values, &build.values, err);
    if (!status) status = mem_new((size_t)count, sizeof *needed, &needed, err);
    if (status) goto done;
    mark_needed(&build, setup->outputs, needed);
    add_inputs(&build);
    status = add_ops(&build, needed, err);
    if (!status) add_outputs(&build, setup);
done:
    free(build.values);
    free(needed);
    return status;
}
