/* onnx_graph.h - a graph in the ONNX format while it is built, and the file in which it is kept
 * (github.com/onnx/onnx, onnx.proto3 and Operators.md; opset 17). A graph is a list of nodes, each
 * of which makes one value, and of tensors, which are constants. All values have names. The
 * functions that build a graph return no Status: if memory runs out, the graph remembers this, and
 * onnx_graph_write() fails. Threading: confined. */
#pragma once
#include "base/strbuf.h"
#include <stdint.h>

typedef struct OnnxGraph OnnxGraph; /* opaque */
enum { ONNX_RANK_MAX = 4, ONNX_OPSET = 17 };

/* The name of a value or a tensor. */
typedef struct {
    char text[144];
} OnnxName;

typedef enum { ONNX_FLOAT = 1, ONNX_INT64 = 7, ONNX_BOOL = 9 } OnnxType;

/* An input or output of a graph. */
typedef struct {
    const char *name;
    OnnxType type;
    int rank; /* -1: the file does not say the shape */
    /* -1: the number of samples, which is chosen when the graph runs */
    int64_t dims[ONNX_RANK_MAX];
    const char *note; /* NULL: none */
} OnnxPort;

MUST_USE Status onnx_graph_new(OnnxGraph **out, Error *err);
void onnx_graph_free(OnnxGraph *graph);
/* Names that are given to values from now on begin with `prefix`, such as "block3.conv1". */
void onnx_set_prefix(OnnxGraph *graph, const char *prefix);
OnnxName onnx_name(const char *text); /* the text itself as a name */
/* Returns a name for a constant that is no parameter of the net. It begins with "constant/". */
OnnxName onnx_constant_name(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns a name that no value has yet, for an input of a body. A body is a graph inside a node,
 * such as the graph that a loop repeats. */
OnnxName onnx_new_name(OnnxGraph *graph, const char *word);

/* A node that is being made: begin it, add inputs and attributes, and end it. */
typedef struct {
    const char *type; /* of the operator: "Conv" */
    StrBuf fields, attributes;
} OnnxNode;

OnnxNode onnx_node(const char *type, const OnnxName *first_input); /* NULL: no input yet */
void onnx_add_input(OnnxNode *node, const OnnxName *input);
void onnx_add_int(OnnxNode *node, const char *name, int64_t value);
void onnx_add_float(OnnxNode *node, const char *name, float value);
void onnx_add_ints(OnnxNode *node, const char *name, int count, const int64_t *values);
/* Adds a body, which onnx_body_end() made, to the node. */
void onnx_add_body(OnnxNode *node, const char *name, const StrBuf *body);
/* Adds the node to the graph and returns the name of its output, which is new. */
OnnxName onnx_end(OnnxGraph *graph, OnnxNode *node);
/* Does the same and gives the output the name `output`. */
void onnx_end_as(OnnxGraph *graph, OnnxNode *node, const OnnxName *output);

/* Nodes that are added between these two calls belong to a body, which is a graph of its own. It
 * may read all values and tensors of the graph around it. `out` gets the body; the caller clears
 * it. */
void onnx_body_begin(OnnxGraph *graph);
void onnx_body_end(OnnxGraph *graph, int input_count, const OnnxPort *inputs, int output_count,
                   const OnnxPort *outputs, StrBuf *out);

/* Adds a tensor. Returns its elements, which are 0 until the caller sets them, or NULL if there
 * already is a tensor of this name or memory ran out. */
float *onnx_new_floats(OnnxGraph *graph, const OnnxName *name, int rank, const int64_t *dims);
int64_t *onnx_new_ints(OnnxGraph *graph, const OnnxName *name, int rank, const int64_t *dims);
/* Returns a tensor (count) of these whole numbers. `count`: at most ONNX_RANK_MAX. */
OnnxName onnx_ints(OnnxGraph *graph, int count, const int64_t *values);
/* Returns a tensor of one number, without dimensions. */
OnnxName onnx_number(OnnxGraph *graph, float value);

/* These add a node with one of the most used operators, and return the name of its output. An
 * `axis` is the index of a dimension, counted from 0. */
OnnxName onnx_unary(OnnxGraph *graph, const char *type, const OnnxName *x);
OnnxName onnx_binary(OnnxGraph *graph, const char *type, const OnnxName *a, const OnnxName *b);
/* One of `dims` may be -1; its size then follows from the number of elements. A 0 in `dims` means
 * the size that this dimension has in `x`. */
OnnxName onnx_reshape(OnnxGraph *graph, const OnnxName *x, int rank, const int64_t *dims);
OnnxName onnx_transpose(OnnxGraph *graph, const OnnxName *x, int rank, const int64_t *order);
OnnxName onnx_gather(OnnxGraph *graph, const OnnxName *x, int axis, const OnnxName *indices);
OnnxName onnx_slice(OnnxGraph *graph, const OnnxName *x, int axis, int first, int count);
OnnxName onnx_concat(OnnxGraph *graph, const OnnxName *a, const OnnxName *b, int axis);
/* Returns the softmax over the last dimension, or its logarithm: `type` is "Softmax" or
 * "LogSoftmax". */
OnnxName onnx_softmax(OnnxGraph *graph, const char *type, const OnnxName *x);
/* Returns the mean, the maximum, or the logarithm of the sum of exponentials over the dimensions in
 * `axes`: `type` is "ReduceMean", "ReduceMax" or "ReduceLogSumExp". With `keep` these dimensions
 * become 1, otherwise they are removed. */
OnnxName onnx_reduce(OnnxGraph *graph, const char *type, const OnnxName *x, int count,
                     const int64_t *axes, bool keep);

void onnx_add_graph_input(OnnxGraph *graph, const OnnxPort *port);
void onnx_add_graph_output(OnnxGraph *graph, const OnnxPort *port);

/* The description of a net, which stands in the file beside the graph. */
typedef struct {
    /* the name of the graph, the version of the program that writes the file, and a description for
     * people */
    const char *name, *version, *note;
    const char *const (*properties)[2]; /* pairs of a key and a text */
    int property_count;
    uint64_t limit_bytes; /* the maximum size of the file; 0: that of the format, 2^31 - 1 */
} OnnxModel;

/* Writes a graph; on failure the file at `path` is unchanged. ERR_UNSUPPORTED: the file would be
 * too large. ERR_MEMORY, ERR_IO. */
MUST_USE Status onnx_graph_write(const OnnxGraph *graph, const OnnxModel *model, const char *path,
                                 Error *err);
