#include "eval/formats/onnx/onnx_graph.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "eval/formats/protobuf.h"

/* The numbers of fields in onnx.proto3, by message. */
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_TYPE = 4, NODE_ATTRIBUTE = 5 };
enum {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_FLOAT = 2,
    ATTRIBUTE_INT = 3,
    ATTRIBUTE_GRAPH = 6,
    ATTRIBUTE_INTS = 8,
    ATTRIBUTE_TYPE = 20
};
enum { TYPE_FLOAT = 1, TYPE_INT = 2, TYPE_GRAPH = 5, TYPE_INTS = 7 }; /* of attributes */
enum { TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9 };
enum { PORT_NAME = 1, PORT_TYPE = 2, PORT_NOTE = 3 };
enum { TYPE_TENSOR = 1, TENSOR_TYPE_ELEMENT = 1, TENSOR_TYPE_SHAPE = 2 };
enum { SHAPE_DIM = 1, DIM_VALUE = 1, DIM_NAME = 2 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_TENSOR = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum {
    MODEL_FORMAT = 1,
    MODEL_PRODUCER = 2,
    MODEL_PRODUCER_VERSION = 3,
    MODEL_NOTE = 6,
    MODEL_GRAPH = 7,
    MODEL_OPSET = 8,
    MODEL_PROPERTY = 14
};
enum { OPSET_VERSION = 2, PROPERTY_KEY = 1, PROPERTY_TEXT = 2 };
enum { FORMAT_VERSION = 8 }; /* version of the file format; it came with opset 17 */

/* The most bytes that a message of Protocol Buffers may have. */
static const uint64_t BYTES_MAX = (1ULL << 31) - 1;

typedef struct {
    OnnxName name;
    StrBuf head; /* its fields without the values */
    void *values;
    size_t bytes;
} Tensor;

struct OnnxGraph {
    StrBuf nodes, ports;
    StrBuf outer_nodes; /* while a body is built: the nodes of the graph around it */
    Tensor *tensors;
    size_t tensor_count, tensor_capacity;
    Arena values; /* of the tensors */
    int made;     /* the number of names that onnx_new_name() has made */
    char prefix[64];
    bool failed;
};

/* The elements of all tensors together may have at most as many bytes as a file may have. This
 * limit stops a net that is far too large before all its memory is allocated. */
Status onnx_graph_new(OnnxGraph **out, Error *err) {
    Status status = mem_new(1, sizeof **out, out, err);
    if (!status) (*out)->values.limit_bytes = (size_t)BYTES_MAX;
    return status;
}

void onnx_graph_free(OnnxGraph *graph) {
    if (!graph) return;
    strbuf_clear(&graph->nodes);
    strbuf_clear(&graph->outer_nodes);
    strbuf_clear(&graph->ports);
    for (size_t i = 0; i < graph->tensor_count; i++)
        strbuf_clear(&graph->tensors[i].head);
    free(graph->tensors);
    arena_clear(&graph->values);
    free(graph);
}

void onnx_set_prefix(OnnxGraph *graph, const char *prefix) {
    snprintf(graph->prefix, sizeof graph->prefix, "%s", prefix);
}

OnnxName onnx_name(const char *text) {
    OnnxName name;
    snprintf(name.text, sizeof name.text, "%s", text);
    return name;
}

OnnxName onnx_constant_name(const char *format, ...) {
    OnnxName name = onnx_name("constant/");
    size_t length = strlen(name.text);
    va_list list;
    va_start(list, format);
    vsnprintf(name.text + length, sizeof name.text - length, format, list);
    va_end(list);
    return name;
}

OnnxNode onnx_node(const char *type, const OnnxName *first_input) {
    OnnxNode node = {.type = type};
    if (first_input) onnx_add_input(&node, first_input);
    return node;
}

void onnx_add_input(OnnxNode *node, const OnnxName *input) {
    proto_add_text(&node->fields, NODE_INPUT, input->text);
}

/* Ends an attribute, whose value is already in `fields`. */
static void add_attribute(OnnxNode *node, const char *name, int type, StrBuf *fields) {
    proto_add_text(fields, ATTRIBUTE_NAME, name);
    proto_add_int(fields, ATTRIBUTE_TYPE, type);
    proto_add_message(&node->attributes, NODE_ATTRIBUTE, fields);
    strbuf_clear(fields);
}

void onnx_add_int(OnnxNode *node, const char *name, int64_t value) {
    StrBuf fields = {0};
    proto_add_int(&fields, ATTRIBUTE_INT, value);
    add_attribute(node, name, TYPE_INT, &fields);
}

void onnx_add_float(OnnxNode *node, const char *name, float value) {
    StrBuf fields = {0};
    proto_add_float(&fields, ATTRIBUTE_FLOAT, value);
    add_attribute(node, name, TYPE_FLOAT, &fields);
}

void onnx_add_ints(OnnxNode *node, const char *name, int count, const int64_t *values) {
    StrBuf fields = {0};
    for (int i = 0; i < count; i++)
        proto_add_int(&fields, ATTRIBUTE_INTS, values[i]);
    add_attribute(node, name, TYPE_INTS, &fields);
}

void onnx_add_body(OnnxNode *node, const char *name, const StrBuf *body) {
    StrBuf fields = {0};
    proto_add_message(&fields, ATTRIBUTE_GRAPH, body);
    add_attribute(node, name, TYPE_GRAPH, &fields);
}

void onnx_end_as(OnnxGraph *graph, OnnxNode *node, const OnnxName *output) {
    StrBuf *fields = &node->fields;
    proto_add_text(fields, NODE_OUTPUT, output->text);
    proto_add_text(fields, NODE_NAME, output->text);
    proto_add_text(fields, NODE_TYPE, node->type);
    strbuf_add_bytes(fields, node->attributes.text, node->attributes.length);
    if (node->attributes.failed) fields->failed = true;
    proto_add_message(&graph->nodes, GRAPH_NODE, fields);
    strbuf_clear(fields);
    strbuf_clear(&node->attributes);
}

OnnxName onnx_new_name(OnnxGraph *graph, const char *word) {
    OnnxName name;
    snprintf(name.text, sizeof name.text, "%s/%s_%d", graph->prefix, word, graph->made++);
    return name;
}

OnnxName onnx_end(OnnxGraph *graph, OnnxNode *node) {
    OnnxName output = onnx_new_name(graph, node->type);
    onnx_end_as(graph, node, &output);
    return output;
}

/* Writes a port as a ValueInfoProto. */
static void add_port(StrBuf *out, int field, const OnnxPort *port) {
    StrBuf shape = {0}, tensor = {0}, type = {0}, whole = {0}, dim = {0};
    proto_add_int(&tensor, TENSOR_TYPE_ELEMENT, port->type);
    for (int i = 0; i < port->rank; i++) {
        strbuf_reset(&dim);
        if (port->dims[i] < 0)
            proto_add_text(&dim, DIM_NAME, "N");
        else
            proto_add_int(&dim, DIM_VALUE, port->dims[i]);
        proto_add_message(&shape, SHAPE_DIM, &dim);
    }
    if (port->rank >= 0) proto_add_message(&tensor, TENSOR_TYPE_SHAPE, &shape);
    proto_add_message(&type, TYPE_TENSOR, &tensor);
    proto_add_text(&whole, PORT_NAME, port->name);
    proto_add_message(&whole, PORT_TYPE, &type);
    if (port->note) proto_add_text(&whole, PORT_NOTE, port->note);
    proto_add_message(out, field, &whole);
    strbuf_clear(&dim);
    strbuf_clear(&shape);
    strbuf_clear(&tensor);
    strbuf_clear(&type);
    strbuf_clear(&whole);
}

void onnx_add_graph_input(OnnxGraph *graph, const OnnxPort *port) {
    add_port(&graph->ports, GRAPH_INPUT, port);
}

void onnx_add_graph_output(OnnxGraph *graph, const OnnxPort *port) {
    add_port(&graph->ports, GRAPH_OUTPUT, port);
}

void onnx_body_begin(OnnxGraph *graph) {
    graph->outer_nodes = graph->nodes;
    graph->nodes = (StrBuf){0};
}

void onnx_body_end(OnnxGraph *graph, int input_count, const OnnxPort *inputs, int output_count,
                   const OnnxPort *outputs, StrBuf *out) {
    *out = graph->nodes;
    graph->nodes = graph->outer_nodes;
    graph->outer_nodes = (StrBuf){0};
    proto_add_text(out, GRAPH_NAME, "body");
    for (int i = 0; i < input_count; i++)
        add_port(out, GRAPH_INPUT, &inputs[i]);
    for (int i = 0; i < output_count; i++)
        add_port(out, GRAPH_OUTPUT, &outputs[i]);
}

static bool has_tensor(const OnnxGraph *graph, const OnnxName *name) {
    for (size_t i = 0; i < graph->tensor_count; i++) {
        if (strcmp(graph->tensors[i].name.text, name->text) == 0) return true;
    }
    return false;
}

static void *new_tensor(OnnxGraph *graph, const OnnxName *name, OnnxType type, int rank,
                        const int64_t *dims) {
    size_t count = 1;
    if (graph->failed || has_tensor(graph, name)) return NULL;
    for (int i = 0; i < rank; i++)
        count = mem_array_bytes(count, (size_t)dims[i]);
    size_t bytes = mem_array_bytes(count, type == ONNX_INT64 ? sizeof(int64_t) : sizeof(float));
    if (mem_grow(&graph->tensors, &graph->tensor_capacity, graph->tensor_count + 1,
                 sizeof *graph->tensors, NULL)) {
        graph->failed = true;
        return NULL;
    }
    Tensor *tensor = &graph->tensors[graph->tensor_count++];
    *tensor = (Tensor){.name = *name, .values = arena_alloc(&graph->values, bytes), .bytes = bytes};
    for (int i = 0; i < rank; i++)
        proto_add_int(&tensor->head, TENSOR_DIMS, dims[i]);
    proto_add_int(&tensor->head, TENSOR_TYPE, type);
    proto_add_text(&tensor->head, TENSOR_NAME, name->text);
    proto_add_length(&tensor->head, TENSOR_RAW, bytes);
    if (!tensor->values || tensor->head.failed) graph->failed = true;
    return tensor->values;
}

float *onnx_new_floats(OnnxGraph *graph, const OnnxName *name, int rank, const int64_t *dims) {
    return new_tensor(graph, name, ONNX_FLOAT, rank, dims);
}

int64_t *onnx_new_ints(OnnxGraph *graph, const OnnxName *name, int rank, const int64_t *dims) {
    return new_tensor(graph, name, ONNX_INT64, rank, dims);
}

OnnxName onnx_ints(OnnxGraph *graph, int count, const int64_t *values) {
    assert(count <= ONNX_RANK_MAX); /* so that the name, which lists the numbers, is not cut off */
    OnnxName name = onnx_constant_name("ints");
    for (int i = 0; i < count; i++) {
        size_t length = strlen(name.text);
        snprintf(name.text + length, sizeof name.text - length, "_%lld", (long long)values[i]);
    }
    int64_t *to = onnx_new_ints(graph, &name, 1, (int64_t[]){count});
    if (to) memcpy(to, values, (size_t)count * sizeof *to);
    return name;
}

OnnxName onnx_number(OnnxGraph *graph, float value) {
    OnnxName name;
    name = onnx_constant_name("number_%.9g", (double)value);
    float *to = onnx_new_floats(graph, &name, 0, NULL);
    if (to) *to = value;
    return name;
}

OnnxName onnx_unary(OnnxGraph *graph, const char *type, const OnnxName *x) {
    OnnxNode node = onnx_node(type, x);
    return onnx_end(graph, &node);
}

OnnxName onnx_binary(OnnxGraph *graph, const char *type, const OnnxName *a, const OnnxName *b) {
    OnnxNode node = onnx_node(type, a);
    onnx_add_input(&node, b);
    return onnx_end(graph, &node);
}

OnnxName onnx_reshape(OnnxGraph *graph, const OnnxName *x, int rank, const int64_t *dims) {
    OnnxName shape = onnx_ints(graph, rank, dims);
    return onnx_binary(graph, "Reshape", x, &shape);
}

OnnxName onnx_transpose(OnnxGraph *graph, const OnnxName *x, int rank, const int64_t *order) {
    OnnxNode node = onnx_node("Transpose", x);
    onnx_add_ints(&node, "perm", rank, order);
    return onnx_end(graph, &node);
}

OnnxName onnx_gather(OnnxGraph *graph, const OnnxName *x, int axis, const OnnxName *indices) {
    OnnxNode node = onnx_node("Gather", x);
    onnx_add_input(&node, indices);
    onnx_add_int(&node, "axis", axis);
    return onnx_end(graph, &node);
}

OnnxName onnx_slice(OnnxGraph *graph, const OnnxName *x, int axis, int first, int count) {
    OnnxName start = onnx_ints(graph, 1, (int64_t[]){first}),
             end = onnx_ints(graph, 1, (int64_t[]){first + count}),
             along = onnx_ints(graph, 1, (int64_t[]){axis});
    OnnxNode node = onnx_node("Slice", x);
    onnx_add_input(&node, &start);
    onnx_add_input(&node, &end);
    onnx_add_input(&node, &along);
    return onnx_end(graph, &node);
}

OnnxName onnx_concat(OnnxGraph *graph, const OnnxName *a, const OnnxName *b, int axis) {
    OnnxNode node = onnx_node("Concat", a);
    onnx_add_input(&node, b);
    onnx_add_int(&node, "axis", axis);
    return onnx_end(graph, &node);
}

OnnxName onnx_softmax(OnnxGraph *graph, const char *type, const OnnxName *x) {
    OnnxNode node = onnx_node(type, x);
    onnx_add_int(&node, "axis", -1);
    return onnx_end(graph, &node);
}

OnnxName onnx_reduce(OnnxGraph *graph, const char *type, const OnnxName *x, int count,
                     const int64_t *axes, bool keep) {
    OnnxNode node = onnx_node(type, x);
    onnx_add_ints(&node, "axes", count, axes);
    onnx_add_int(&node, "keepdims", keep);
    return onnx_end(graph, &node);
}

/* Writes the fields before the graph: the versions of the format, the program that wrote the file,
 * and the description of the net. */
static void add_model(const OnnxModel *model, StrBuf *out) {
    StrBuf part = {0};
    proto_add_int(out, MODEL_FORMAT, FORMAT_VERSION);
    proto_add_text(out, MODEL_PRODUCER, "aji");
    proto_add_text(out, MODEL_PRODUCER_VERSION, model->version);
    proto_add_text(out, MODEL_NOTE, model->note);
    proto_add_int(&part, OPSET_VERSION, ONNX_OPSET);
    proto_add_message(out, MODEL_OPSET, &part);
    for (int i = 0; i < model->property_count; i++) {
        strbuf_reset(&part);
        proto_add_text(&part, PROPERTY_KEY, model->properties[i][0]);
        proto_add_text(&part, PROPERTY_TEXT, model->properties[i][1]);
        proto_add_message(out, MODEL_PROPERTY, &part);
    }
    if (part.failed) out->failed = true;
    strbuf_clear(&part);
}

/* Writes the field of a tensor up to its values: its number, its length and the tensor's head. */
static void add_tensor_head(const Tensor *tensor, StrBuf *out) {
    proto_add_length(out, GRAPH_TENSOR, tensor->head.length + tensor->bytes);
    strbuf_add_bytes(out, tensor->head.text, tensor->head.length);
}

static uint64_t tensors_bytes(const OnnxGraph *graph) {
    uint64_t total = 0;
    StrBuf head = {0};
    for (size_t i = 0; i < graph->tensor_count; i++) {
        strbuf_reset(&head);
        add_tensor_head(&graph->tensors[i], &head);
        total += head.length + graph->tensors[i].bytes;
    }
    strbuf_clear(&head);
    return total;
}

static Status write_stream(const OnnxGraph *graph, const StrBuf *begin, const char *path,
                           Error *err) {
    AtomicFile out;
    StrBuf head = {0};
    Status status = atomic_file_open(path, &out, err);
    if (status) return status;
    fwrite(begin->text, 1, begin->length, out.stream);
    for (size_t i = 0; i < graph->tensor_count && !head.failed; i++) {
        strbuf_reset(&head);
        add_tensor_head(&graph->tensors[i], &head);
        fwrite(head.text, 1, head.length, out.stream);
        fwrite(graph->tensors[i].values, 1, graph->tensors[i].bytes, out.stream);
    }
    status = strbuf_status(&head, err);
    strbuf_clear(&head);
    if (!status) return atomic_file_commit(&out, err); /* also reports failures of fwrite() */
    atomic_file_abandon(&out);
    return status;
}

/* A file is the fields of the model, then the graph: its name, inputs, outputs, nodes and
 * tensors. */
Status onnx_graph_write(const OnnxGraph *graph, const OnnxModel *model, const char *path,
                        Error *err) {
    StrBuf begin = {0}, name = {0};
    uint64_t limit = model->limit_bytes ? model->limit_bytes : BYTES_MAX;
    proto_add_text(&name, GRAPH_NAME, model->name);
    uint64_t length =
        name.length + graph->ports.length + graph->nodes.length + tensors_bytes(graph);
    add_model(model, &begin);
    proto_add_length(&begin, MODEL_GRAPH, length);
    Status status = OK;
    if (begin.length + length > limit)
        status = fail(err, ERR_UNSUPPORTED,
                      "the file would have %llu bytes, and ONNX files have at most %llu",
                      (unsigned long long)(begin.length + length), (unsigned long long)limit);
    strbuf_add_bytes(&begin, name.text, name.length);
    strbuf_add_bytes(&begin, graph->ports.text, graph->ports.length);
    strbuf_add_bytes(&begin, graph->nodes.text, graph->nodes.length);
    bool failed = graph->failed || name.failed || graph->ports.failed || graph->nodes.failed;
    if (!status && failed) status = fail(err, ERR_MEMORY, "there is no memory for the graph");
    if (!status) status = strbuf_status(&begin, err);
    if (!status) status = write_stream(graph, &begin, path, err);
    strbuf_clear(&begin);
    strbuf_clear(&name);
    return status;
}
