#include "eval/formats/onnx/onnx_values.h"

#include <stdio.h>
#include <string.h>

OnnxName onnx_input(const OnnxBuild *build, const Op *op, int input) {
    return build->values[op->inputs[input]];
}

const Op *onnx_input_op(const OnnxBuild *build, const Op *op, int input) {
    return program_op(build->program, op->inputs[input]);
}

int onnx_channel_axis(const Op *op) {
    return op->shape == KIND_LIST ? 2 : 1;
}

const float *onnx_parameter_values(const OnnxBuild *build, const Op *op, int parameter) {
    return net_values_const(build->net, op->parameters[parameter]);
}

OnnxName onnx_parameter_name(const OnnxBuild *build, const Op *op, int parameter,
                             const char *ending) {
    OnnxName name;
    const ParameterSpec *spec = program_parameter(build->program, op->parameters[parameter]);
    snprintf(name.text, sizeof name.text, "%s%s", spec->name, ending);
    return name;
}

OnnxName onnx_channel_parameter(const OnnxBuild *build, const Op *op, int parameter) {
    OnnxName name = onnx_parameter_name(build, op, parameter, "");
    int rank = op->shape == KIND_SPATIAL ? 3 : 1;
    float *to = onnx_new_floats(build->graph, &name, rank, (int64_t[]){op->channels, 1, 1});
    if (to)
        memcpy(to, onnx_parameter_values(build, op, parameter), (size_t)op->channels * sizeof *to);
    return name;
}

OnnxName onnx_spread_vector(const OnnxBuild *build, const OnnxName *vector, ValueKind kind) {
    bool spatial = kind == KIND_SPATIAL;
    OnnxName axes = onnx_ints(build->graph, spatial ? 2 : 1,
                              spatial ? (const int64_t[]){2, 3} : (const int64_t[]){1});
    return onnx_binary(build->graph, "Unsqueeze", vector, &axes);
}

OnnxName onnx_flatten(const OnnxBuild *build, const OnnxName *x, int channels) {
    return onnx_reshape(build->graph, x, 3, (int64_t[]){-1, channels, build->cells});
}

OnnxName onnx_unflatten(const OnnxBuild *build, const OnnxName *x, int channels) {
    return onnx_reshape(build->graph, x, 4, (int64_t[]){-1, channels, build->height, build->width});
}
