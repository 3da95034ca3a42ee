#include "eval/formats/onnx/onnx_layers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Repeats a list (1, rows, c) for all samples. The first input of the net says how many there
 * are. */
OnnxName onnx_constant(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    OnnxName values = onnx_parameter_name(build, op, 0, "");
    OnnxName rest = onnx_ints(graph, 2, (int64_t[]){op->rows, op->channels});
    float *to = onnx_new_floats(graph, &values, 3, (int64_t[]){1, op->rows, op->channels});
    if (to)
        memcpy(to, onnx_parameter_values(build, op, 0),
               (size_t)op->rows * (size_t)op->channels * sizeof *to);
    if (!program_input_count(build->program)) return values;
    OnnxNode node = onnx_node("Shape", &build->values[program_input_value(build->program, 0)]);
    onnx_add_int(&node, "start", 0);
    onnx_add_int(&node, "end", 1);
    OnnxName samples = onnx_end(graph, &node), shape = onnx_concat(graph, &samples, &rest, 0);
    return onnx_binary(graph, "Expand", &values, &shape);
}

/* Copies weights (out, taps, in) to (out, in, taps). */
static void transpose_weights(int out, int taps, int in, const float *from, float *to) {
    for (int o = 0; o < out; o++) {
        for (int t = 0; t < taps; t++) {
            for (int i = 0; i < in; i++)
                to[((size_t)o * (size_t)in + (size_t)i) * (size_t)taps + (size_t)t] = *from++;
        }
    }
}

/* Returns the weights as (out, in, height, width). A 1 x k convolution may share its parameter with
 * a k x 1 convolution. Because their shapes differ, one of the two then gets a tensor of its
 * own. */
static OnnxName conv_weights(const OnnxBuild *build, const Op *op) {
    const ParameterSpec *spec = program_parameter(build->program, op->parameters[0]);
    bool turned = spec->dims[1] != op->kernel_h;
    OnnxName name = onnx_parameter_name(build, op, 0, turned ? ".turned" : "");
    int in = onnx_input_op(build, op, 0)->channels;
    float *to = onnx_new_floats(build->graph, &name, 4,
                                (int64_t[]){op->channels, in, op->kernel_h, op->kernel_w});
    if (to)
        transpose_weights(op->channels, op->kernel_h * op->kernel_w, in,
                          onnx_parameter_values(build, op, 0), to);
    return name;
}

OnnxName onnx_conv(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0), weights = conv_weights(build, op);
    int y = op->kernel_h / 2 * op->dilation, z = op->kernel_w / 2 * op->dilation;
    OnnxNode node = onnx_node("Conv", &x);
    onnx_add_input(&node, &weights);
    onnx_add_ints(&node, "kernel_shape", 2, (int64_t[]){op->kernel_h, op->kernel_w});
    onnx_add_ints(&node, "pads", 4, (int64_t[]){y, z, y, z});
    onnx_add_ints(&node, "dilations", 2, (int64_t[]){op->dilation, op->dilation});
    return onnx_end(build->graph, &node);
}

/* A convolution of 1 x 1 for spatial values; a product of matrices for vectors and lists. */
OnnxName onnx_dense(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    OnnxName x = onnx_input(build, op, 0);
    int in = onnx_input_op(build, op, 0)->channels, out = op->channels;
    bool spatial = op->shape == KIND_SPATIAL;
    OnnxName weights = onnx_parameter_name(build, op, 0, spatial ? "" : ".transposed");
    float *to = spatial ? onnx_new_floats(graph, &weights, 4, (int64_t[]){out, in, 1, 1})
                        : onnx_new_floats(graph, &weights, 2, (int64_t[]){in, out});
    const float *from = onnx_parameter_values(build, op, 0);
    if (to && spatial) memcpy(to, from, (size_t)out * (size_t)in * sizeof *to);
    if (to && !spatial) transpose_weights(1, out, in, from, to);
    return onnx_binary(graph, spatial ? "Conv" : "MatMul", &x, &weights);
}

OnnxName onnx_scale(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0), gain = onnx_channel_parameter(build, op, 0);
    return onnx_binary(build->graph, "Mul", &x, &gain);
}

OnnxName onnx_bias(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0), bias = onnx_channel_parameter(build, op, 0);
    return onnx_binary(build->graph, "Add", &x, &bias);
}

OnnxName onnx_batch_norm(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0);
    OnnxNode node = onnx_node("BatchNormalization", &x);
    for (int i = 0; i < 4; i++) { /* in the order that ONNX wants: gamma, beta, mean, variance */
        OnnxName name = onnx_parameter_name(build, op, i, "");
        float *to = onnx_new_floats(build->graph, &name, 1, (int64_t[]){op->channels});
        if (to) memcpy(to, onnx_parameter_values(build, op, i), (size_t)op->channels * sizeof *to);
        onnx_add_input(&node, &name);
    }
    onnx_add_float(&node, "epsilon", op->epsilon);
    return onnx_end(build->graph, &node);
}

OnnxName onnx_activation(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    OnnxName x = onnx_input(build, op, 0), factor;
    switch (op->activation) {
    case ACTIVATION_RELU:
        return onnx_unary(graph, "Relu", &x);
    case ACTIVATION_TANH:
        return onnx_unary(graph, "Tanh", &x);
    case ACTIVATION_MISH:
        factor = onnx_unary(graph, "Softplus", &x);
        factor = onnx_unary(graph, "Tanh", &factor);
        return onnx_binary(graph, "Mul", &x, &factor);
    case ACTIVATION_SILU:
        factor = onnx_unary(graph, "Sigmoid", &x);
        return onnx_binary(graph, "Mul", &x, &factor);
    case ACTIVATION_IDENTITY:
    default:
        return x;
    }
}

static OnnxName combine(const OnnxBuild *build, const Op *op, const char *type, bool spread) {
    OnnxName a = onnx_input(build, op, 0), b = onnx_input(build, op, 1);
    if (spread) b = onnx_spread_vector(build, &b, op->shape);
    return onnx_binary(build->graph, type, &a, &b);
}

OnnxName onnx_add(const OnnxBuild *build, const Op *op) {
    return combine(build, op, "Add", false);
}

OnnxName onnx_multiply(const OnnxBuild *build, const Op *op) {
    return combine(build, op, "Mul", false);
}

OnnxName onnx_add_broadcast(const OnnxBuild *build, const Op *op) {
    return combine(build, op, "Add", true);
}

OnnxName onnx_mul_broadcast(const OnnxBuild *build, const Op *op) {
    return combine(build, op, "Mul", true);
}

/* The board fills the buffer. So the mask is 1 everywhere, and the values stay the same. */
OnnxName onnx_mask(const OnnxBuild *build, const Op *op) {
    return onnx_input(build, op, 0);
}

/* Appends the mean times a factor to the channels of `pools`. */
static OnnxName append_scaled(OnnxGraph *graph, const OnnxName *pools, const OnnxName *mean,
                              float factor) {
    OnnxName by = onnx_number(graph, factor), scaled = onnx_binary(graph, "Mul", mean, &by);
    return onnx_concat(graph, pools, &scaled, 1);
}

/* Appends the standard deviation of x over the board to the channels of `pools`. */
static OnnxName append_deviation(OnnxGraph *graph, const OnnxName *pools, const OnnxName *x) {
    static const int64_t POINTS[] = {2, 3};
    OnnxName mean = onnx_reduce(graph, "ReduceMean", x, 2, POINTS, true),
             y = onnx_binary(graph, "Sub", x, &mean),
             epsilon = onnx_number(graph, POOL_STDEV_EPSILON);
    y = onnx_binary(graph, "Mul", &y, &y);
    y = onnx_reduce(graph, "ReduceMean", &y, 2, POINTS, false);
    y = onnx_binary(graph, "Add", &y, &epsilon);
    y = onnx_unary(graph, "Sqrt", &y);
    return onnx_concat(graph, pools, &y, 1);
}

OnnxName onnx_global_pool(const OnnxBuild *build, const Op *op) {
    static const int64_t POINTS[] = {2, 3};
    OnnxGraph *graph = build->graph;
    OnnxName x = onnx_input(build, op, 0), max;
    OnnxName mean = onnx_reduce(graph, "ReduceMean", &x, 2, POINTS, false), pools = mean;
    float offset = sqrtf((float)build->cells) - 14;
    if (op->pool == POOL_MEAN) return mean;
    if (op->pool == POOL_MEAN_SCALE_MAX || op->pool == POOL_MEAN_SCALE_SCALE)
        pools = append_scaled(graph, &pools, &mean, offset * 0.1f);
    if (op->pool == POOL_MEAN_SCALE_SCALE)
        return append_scaled(graph, &pools, &mean, offset * offset * 0.01f - 0.1f);
    max = onnx_reduce(graph, "ReduceMax", &x, 2, POINTS, false);
    pools = onnx_concat(graph, &pools, &max, 1);
    return op->pool == POOL_MEAN_MAX_STDEV ? append_deviation(graph, &pools, &x) : pools;
}

OnnxName onnx_join(const OnnxBuild *build, const Op *op) {
    OnnxName a = onnx_input(build, op, 0), b = onnx_input(build, op, 1);
    return onnx_concat(build->graph, &a, &b, onnx_channel_axis(op));
}

OnnxName onnx_part(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0);
    return onnx_slice(build->graph, &x, onnx_channel_axis(op), op->first, op->channels);
}

OnnxName onnx_rms_norm(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    const int64_t whole[] = {1, 2, 3}, channels[] = {onnx_channel_axis(op)};
    OnnxName x = onnx_input(build, op, 0), gain = onnx_channel_parameter(build, op, 0),
             epsilon = onnx_number(graph, op->epsilon), root;
    root = onnx_binary(graph, "Mul", &x, &x);
    root = onnx_reduce(graph, "ReduceMean", &root, op->whole_board ? 3 : 1,
                       op->whole_board ? whole : channels, true);
    root = onnx_binary(graph, "Add", &root, &epsilon);
    root = onnx_unary(graph, "Sqrt", &root);
    x = onnx_binary(graph, "Div", &x, &root);
    return onnx_binary(graph, "Mul", &x, &gain);
}

/* ONNX normalises over the last dimension. So a spatial value is first transposed, which puts its
 * channels last, and afterwards transposed back. */
OnnxName onnx_layer_norm(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    OnnxName x = onnx_input(build, op, 0);
    bool spatial = op->shape == KIND_SPATIAL;
    if (spatial) x = onnx_transpose(graph, &x, 4, (int64_t[]){0, 2, 3, 1});
    OnnxNode node = onnx_node("LayerNormalization", &x);
    for (int i = 0; i < 2; i++) {
        OnnxName name = onnx_parameter_name(build, op, i, "");
        float *to = onnx_new_floats(graph, &name, 1, (int64_t[]){op->channels});
        if (to) memcpy(to, onnx_parameter_values(build, op, i), (size_t)op->channels * sizeof *to);
        onnx_add_input(&node, &name);
    }
    onnx_add_int(&node, "axis", -1);
    onnx_add_float(&node, "epsilon", op->epsilon);
    OnnxName y = onnx_end(graph, &node);
    return spatial ? onnx_transpose(graph, &y, 4, (int64_t[]){0, 3, 1, 2}) : y;
}

OnnxName onnx_sigmoid(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0);
    return onnx_unary(build->graph, "Sigmoid", &x);
}

/* The net is exported for inference, which drops nothing. */
OnnxName onnx_dropout(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0);
    return onnx_unary(build->graph, "Identity", &x);
}

OnnxName onnx_softplus(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0), y = onnx_unary(build->graph, "Softplus", &x), limit;
    if (op->limit == 0) return y;
    limit = onnx_number(build->graph, op->limit);
    return onnx_binary(build->graph, "Min", &y, &limit);
}

OnnxName onnx_prelu(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0), slope = onnx_channel_parameter(build, op, 0);
    return onnx_binary(build->graph, "PRelu", &x, &slope);
}

OnnxName onnx_crelu(const OnnxBuild *build, const Op *op) {
    OnnxName x = onnx_input(build, op, 0), above = onnx_unary(build->graph, "Relu", &x),
             below = onnx_unary(build->graph, "Neg", &x);
    below = onnx_unary(build->graph, "Relu", &below);
    return onnx_concat(build->graph, &above, &below, onnx_channel_axis(op));
}

OnnxName onnx_mixture(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    OnnxName x = onnx_input(build, op, 0), weights = onnx_input(build, op, 1);
    x = onnx_transpose(graph, &x, 3, (int64_t[]){0, 2, 1});
    x = onnx_softmax(graph, "LogSoftmax", &x);
    x = onnx_transpose(graph, &x, 3, (int64_t[]){0, 2, 1});
    weights = onnx_softmax(graph, "LogSoftmax", &weights);
    weights = onnx_spread_vector(build, &weights, KIND_LIST);
    x = onnx_binary(graph, "Add", &x, &weights);
    return onnx_reduce(graph, "ReduceLogSumExp", &x, 1, (int64_t[]){2}, true);
}

OnnxName onnx_queries(const OnnxBuild *build, const Op *op) {
    OnnxGraph *graph = build->graph;
    int keys = onnx_input_op(build, op, 0)->channels;
    OnnxName x = onnx_input(build, op, 0), queries = onnx_input(build, op, 1),
             scale = onnx_number(graph, 1 / sqrtf((float)keys));
    x = onnx_flatten(build, &x, keys);
    queries = onnx_reshape(graph, &queries, 3, (int64_t[]){-1, op->channels, keys});
    x = onnx_binary(graph, "MatMul", &queries, &x);
    x = onnx_binary(graph, "Mul", &x, &scale);
    return onnx_unflatten(build, &x, op->channels);
}
