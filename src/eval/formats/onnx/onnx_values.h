/* onnx_values.h - what all translations of ops to ONNX share: the values of the program that are
 * already in the graph, and the net's parameters as tensors. The board fills the whole buffer, so
 * the mask is 1 everywhere. The values of a program become
 *     SPATIAL   (N, c, height, width)
 *     VECTOR    (N, c)
 *     LIST      (N, rows, c)
 * where N is the number of samples. Threading: confined. */
#pragma once
#include "eval/formats/onnx/onnx_graph.h"
#include "nn/graph/net.h"

typedef struct {
    OnnxGraph *graph;
    const Net *net;
    const Program *program;
    int height, width, cells;
    OnnxName *values; /* by Value; set for the inputs and for the ops that have been added */
} OnnxBuild;

/* Adds the nodes of an op to the graph, and returns the name of its output. */
typedef OnnxName OnnxTranslation(const OnnxBuild *build, const Op *op);

/* These return the op's input number `input` (0 or 1): its name in the graph, and the op that makes
 * it. */
OnnxName onnx_input(const OnnxBuild *build, const Op *op, int input);
const Op *onnx_input_op(const OnnxBuild *build, const Op *op, int input);
/* Returns which dimension of the op's output has the channels. */
int onnx_channel_axis(const Op *op);
/* Returns a parameter with one number for each channel, shaped so that it fits the output. */
OnnxName onnx_channel_parameter(const OnnxBuild *build, const Op *op, int parameter);
const float *onnx_parameter_values(const OnnxBuild *build, const Op *op, int parameter);
/* Returns the name of a parameter, followed by `ending`. If several tensors hold one parameter in
 * different forms, their endings distinguish them. */
OnnxName onnx_parameter_name(const OnnxBuild *build, const Op *op, int parameter,
                             const char *ending);
/* Returns a vector (N, c) as (N, c, 1, 1) for KIND_SPATIAL and as (N, 1, c) for KIND_LIST, so that
 * it can be combined with values of this kind. */
OnnxName onnx_spread_vector(const OnnxBuild *build, const OnnxName *vector, ValueKind kind);
/* onnx_flatten() turns a spatial value into (N, c, cells); onnx_unflatten() turns it back. */
OnnxName onnx_flatten(const OnnxBuild *build, const OnnxName *x, int channels);
OnnxName onnx_unflatten(const OnnxBuild *build, const OnnxName *x, int channels);
