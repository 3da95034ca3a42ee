/* onnx_interpreter.h - reads an ONNX file and runs it in plain loops. It is written after
 * onnx.proto3 and Operators.md (github.com/onnx/onnx). It reads only the fields that our exporter
 * writes, and knows only the operators that our exporter uses. At any other operator the test
 * fails. All tensors are floats here, even shapes and indices, whose numbers are small enough to be
 * exact. */
#pragma once
#include "base/file.h"
#include "test.h"

enum { RANK_MAX = 4, NODE_INPUTS_MAX = 6, ATTRIBUTES_MAX = 6, VALUES_MAX = 8192, PORTS_MAX = 24 };

/* A part of the file, from `at` to before `end`. */
typedef struct {
    const unsigned char *at, *end;
} Bytes;

/* One field of a protobuf message: its number in onnx.proto3, and a whole number or bytes. */
typedef struct {
    int number;
    uint64_t whole;
    Bytes bytes;
} Field;

typedef struct {
    char text[160];
} Word;

typedef struct {
    Word name;
    int rank, dims[RANK_MAX];
    float *values;
} Tensor;

typedef struct {
    Word name;
    float number;
    int count;
    int64_t whole[16]; /* `count` of them: one whole number, or a list */
    Bytes graph;       /* the body of a loop */
} Attribute;

typedef struct {
    Word type, output, inputs[NODE_INPUTS_MAX];
    int input_count, attribute_count;
    Attribute attributes[ATTRIBUTES_MAX];
} Node;

/* An input or output of a graph. A dimension is -1 if the file gives a name in place of a
 * number. */
typedef struct {
    Word name;
    int type, rank, dims[RANK_MAX];
} Port;

typedef struct {
    Bytes graph;
    int format, opset, input_count, output_count;
    Word producer, version;
    Port inputs[PORTS_MAX], outputs[PORTS_MAX];
    char properties[4096]; /* lines "key=text"; without texts of 300 bytes or more */
} Model;

/* The constants, inputs and values that are known so far. */
typedef struct {
    Arena arena;
    Tensor tensors[VALUES_MAX];
    int count;
} Run;

static inline uint64_t take_varint(Bytes *from) {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
        EXPECT_TRUE(from->at < from->end && shift < 64);
        value |= (uint64_t)(*from->at & 127) << shift;
        if (!(*from->at++ & 128)) return value;
    }
}

static inline bool take_field(Bytes *from, Field *out) {
    enum { VARINT = 0, LENGTH = 2, FIXED32 = 5 };
    *out = (Field){.number = 0};
    if (from->at == from->end) return false;
    uint64_t tag = take_varint(from), length = 0;
    out->number = (int)(tag >> 3);
    if ((tag & 7) == VARINT) out->whole = take_varint(from);
    if ((tag & 7) == LENGTH) length = take_varint(from);
    if ((tag & 7) == FIXED32) length = 4;
    EXPECT_TRUE((tag & 7) == VARINT || (tag & 7) == LENGTH || (tag & 7) == FIXED32);
    EXPECT_TRUE(length <= (uint64_t)(from->end - from->at));
    out->bytes = (Bytes){from->at, from->at + length};
    from->at += length;
    return true;
}

static inline Word word_of(Bytes bytes) {
    Word word;
    snprintf(word.text, sizeof word.text, "%.*s", (int)(bytes.end - bytes.at),
             (const char *)bytes.at);
    return word;
}

static inline bool same(const Word *word, const char *text) {
    return strcmp(word->text, text) == 0;
}

static inline Port read_port(Bytes from) {
    Port port = {.rank = -1};
    Field field, type, part, dim, value;
    while (take_field(&from, &field)) {
        if (field.number == 1) port.name = word_of(field.bytes);
        if (field.number != 2) continue;
        EXPECT_TRUE(take_field(&field.bytes, &type) && type.number == 1); /* a tensor */
        while (take_field(&type.bytes, &part)) {
            if (part.number == 1) port.type = (int)part.whole;
            if (part.number == 2) port.rank = 0;
            while (part.number == 2 && take_field(&part.bytes, &dim)) {
                EXPECT_TRUE(take_field(&dim.bytes, &value) && port.rank < RANK_MAX);
                port.dims[port.rank++] = value.number == 1 ? (int)value.whole : -1;
            }
        }
    }
    return port;
}

static inline void read_property(Bytes from, Model *model) {
    Field key, text;
    EXPECT_TRUE(take_field(&from, &key));
    EXPECT_TRUE(take_field(&from, &text));
    EXPECT_TRUE(key.number == 1 && text.number == 2);
    size_t length = strlen(model->properties);
    if (text.bytes.end - text.bytes.at < 300)
        snprintf(model->properties + length, sizeof model->properties - length, "%s=%.*s\n",
                 word_of(key.bytes).text, (int)(text.bytes.end - text.bytes.at),
                 (const char *)text.bytes.at);
}

static inline void read_ports(Model *model) {
    Bytes graph = model->graph;
    for (Field field; take_field(&graph, &field);) {
        if (field.number == 11) model->inputs[model->input_count++] = read_port(field.bytes);
        if (field.number == 12) model->outputs[model->output_count++] = read_port(field.bytes);
        EXPECT_TRUE(model->input_count < PORTS_MAX && model->output_count < PORTS_MAX);
    }
}

/* Reads all but the nodes and the constants. The model refers to `bytes`. */
static inline Model read_model(const char *bytes, size_t count) {
    Bytes from = {(const unsigned char *)bytes, (const unsigned char *)bytes + count};
    Model model = {.format = 0};
    for (Field field, part; take_field(&from, &field);) {
        if (field.number == 1) model.format = (int)field.whole;
        if (field.number == 2) model.producer = word_of(field.bytes);
        if (field.number == 3) model.version = word_of(field.bytes);
        if (field.number == 7) model.graph = field.bytes;
        if (field.number == 8) {
            EXPECT_TRUE(take_field(&field.bytes, &part) && part.number == 2); /* no domain */
            model.opset = (int)part.whole;
        }
        if (field.number == 14) read_property(field.bytes, &model);
    }
    read_ports(&model);
    return model;
}

static inline Attribute read_attribute(Bytes from) {
    Attribute attribute = {.count = 0};
    for (Field field; take_field(&from, &field);) {
        if (field.number == 1) attribute.name = word_of(field.bytes);
        if (field.number == 2) memcpy(&attribute.number, field.bytes.at, 4);
        if (field.number == 3 || field.number == 8)
            attribute.whole[attribute.count++] = (int64_t)field.whole;
        if (field.number == 6) attribute.graph = field.bytes;
        EXPECT_TRUE(attribute.count < 16);
    }
    return attribute;
}

static inline Node read_node(Bytes from) {
    Node node = {.input_count = 0};
    for (Field field; take_field(&from, &field);) {
        EXPECT_TRUE(node.input_count < NODE_INPUTS_MAX && node.attribute_count < ATTRIBUTES_MAX);
        if (field.number == 1) node.inputs[node.input_count++] = word_of(field.bytes);
        if (field.number == 2) node.output = word_of(field.bytes);
        if (field.number == 4) node.type = word_of(field.bytes);
        if (field.number == 5)
            node.attributes[node.attribute_count++] = read_attribute(field.bytes);
    }
    return node;
}

static inline const Attribute *attribute_of(const Node *node, const char *name) {
    for (int i = 0; i < node->attribute_count; i++) {
        if (same(&node->attributes[i].name, name)) return &node->attributes[i];
    }
    fail_msg("%s has no %s", node->type.text, name);
    return NULL;
}

static inline size_t count_of(const Tensor *tensor) {
    size_t count = 1;
    for (int i = 0; i < tensor->rank; i++)
        count *= (size_t)tensor->dims[i];
    return count;
}

static inline Tensor *find_tensor(Run *run, const char *name) {
    for (int i = run->count - 1; i >= 0; i--) {
        if (same(&run->tensors[i].name, name)) return &run->tensors[i];
    }
    return NULL;
}

/* Adds a tensor of zeros and returns it. The test fails if there is one of that name already. */
static inline Tensor *add_tensor(Run *run, const char *name, int rank, const int *dims) {
    EXPECT_TRUE(run->count < VALUES_MAX && rank <= RANK_MAX);
    if (find_tensor(run, name)) fail_msg("there are two values %s", name);
    Tensor *tensor = &run->tensors[run->count++];
    *tensor = (Tensor){.rank = rank};
    snprintf(tensor->name.text, sizeof tensor->name.text, "%s", name);
    for (int i = 0; i < rank; i++)
        tensor->dims[i] = dims[i];
    tensor->values = arena_alloc(&run->arena, count_of(tensor) * sizeof(float) + 1);
    EXPECT_TRUE(tensor->values != NULL);
    return tensor;
}

static inline void read_tensor(Run *run, Bytes from) {
    int dims[RANK_MAX], rank = 0, type = 0;
    Word name = {""};
    Bytes raw = {NULL, NULL};
    for (Field field; take_field(&from, &field);) {
        EXPECT_TRUE(field.number != 1 || rank < RANK_MAX);
        if (field.number == 1) dims[rank++] = (int)field.whole;
        if (field.number == 2) type = (int)field.whole;
        if (field.number == 8) name = word_of(field.bytes);
        if (field.number == 9) raw = field.bytes;
    }
    Tensor *tensor = add_tensor(run, name.text, rank, dims);
    size_t count = count_of(tensor), size = type == 7 ? 8 : 4;
    EXPECT_TRUE(type == 1 || type == 7);
    EXPECT_INT(count * size, raw.end - raw.at);
    for (size_t i = 0; i < count; i++) {
        int64_t whole;
        if (type == 1) memcpy(&tensor->values[i], raw.at + 4 * i, 4);
        if (type == 7) memcpy(&whole, raw.at + 8 * i, 8);
        if (type == 7) tensor->values[i] = (float)whole;
    }
}

/* A multi-dimensional index of an element, with one number for each dimension. */
typedef struct {
    int at[RANK_MAX];
} Index;

static inline Index index_at(const Tensor *tensor, size_t element) {
    Index index = {{0}};
    for (int i = tensor->rank - 1; i >= 0; i--) {
        index.at[i] = (int)(element % (size_t)tensor->dims[i]);
        element /= (size_t)tensor->dims[i];
    }
    return index;
}

static inline size_t element_at(const Tensor *tensor, const int *at) {
    size_t element = 0;
    for (int i = 0; i < tensor->rank; i++)
        element = element * (size_t)tensor->dims[i] + (size_t)at[i];
    return element;
}

/* Returns an element of `x` when x is broadcast to a shape of `rank` dimensions. `index` is the
 * index in this shape. Dimensions are matched from the last one on, and a dimension of 1 is
 * repeated. */
static inline float broadcast_value(const Tensor *x, const Index *index, int rank) {
    int at[RANK_MAX];
    for (int i = 0; i < x->rank; i++)
        at[i] = x->dims[i] == 1 ? 0 : index->at[rank - x->rank + i];
    return x->values[element_at(x, at)];
}

static inline int broadcast_dims(const Tensor *a, const Tensor *b, int *dims) {
    int rank = a->rank > b->rank ? a->rank : b->rank;
    for (int i = 0; i < rank; i++) {
        int x = i < rank - a->rank ? 1 : a->dims[i - rank + a->rank],
            y = i < rank - b->rank ? 1 : b->dims[i - rank + b->rank];
        EXPECT_TRUE(x == y || x == 1 || y == 1);
        dims[i] = x > y ? x : y;
    }
    return rank;
}

static inline float unary(const char *type, float x) {
    if (!strcmp(type, "Identity")) return x;
    if (!strcmp(type, "Abs")) return fabsf(x);
    if (!strcmp(type, "Exp")) return expf(x);
    if (!strcmp(type, "Neg")) return -x;
    if (!strcmp(type, "Relu")) return x > 0 ? x : 0;
    if (!strcmp(type, "Sigmoid")) return 1 / (1 + expf(-x));
    if (!strcmp(type, "Sign")) return (float)((x > 0) - (x < 0));
    if (!strcmp(type, "Softplus")) return x > 20 ? x : log1pf(expf(x));
    if (!strcmp(type, "Sqrt")) return sqrtf(x);
    if (!strcmp(type, "Tanh")) return tanhf(x);
    fail_msg("there is no operator %s", type);
    return 0;
}

static inline void run_unary(Run *run, const Node *node, const Tensor *x) {
    Tensor *y = add_tensor(run, node->output.text, x->rank, x->dims);
    for (size_t i = 0; i < count_of(x); i++)
        y->values[i] = unary(node->type.text, x->values[i]);
}

static inline bool is_binary(const char *type) {
    static const char *const ALL[] = {"Add", "Sub", "Mul", "Div", "Max", "Min", "Greater", "PRelu"};
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        if (!strcmp(type, ALL[i])) return true;
    }
    return false;
}

static inline float binary(char letter, float a, float b) {
    switch (letter) {
    case 'A':
        return a + b;
    case 'S':
        return a - b;
    case 'D':
        return a / b;
    case 'G':
        return a > b;
    case 'P':
        return a < 0 ? a * b : a;
    default:
        return a * b;
    }
}

static inline void run_binary(Run *run, const Node *node, const Tensor *a, const Tensor *b) {
    int dims[RANK_MAX], rank = broadcast_dims(a, b, dims);
    Tensor *y = add_tensor(run, node->output.text, rank, dims);
    bool max = same(&node->type, "Max"), min = same(&node->type, "Min");
    for (size_t i = 0; i < count_of(y); i++) {
        Index index = index_at(y, i);
        float p = broadcast_value(a, &index, rank), q = broadcast_value(b, &index, rank);
        y->values[i] = max ? fmaxf(p, q) : min ? fminf(p, q) : binary(*node->type.text, p, q);
    }
}

static inline void run_conv(Run *run, const Node *node, const Tensor *x, const Tensor *w) {
    int64_t none[4] = {0, 0, 0, 0}, ones[2] = {1, 1};
    const int64_t *pads = node->attribute_count ? attribute_of(node, "pads")->whole : none,
                  *steps = ones;
    for (int i = 0; i < node->attribute_count; i++) {
        if (same(&node->attributes[i].name, "dilations")) steps = node->attributes[i].whole;
    }
    int dims[4] = {x->dims[0], w->dims[0],
                   x->dims[2] + (int)(pads[0] + pads[2] - (w->dims[2] - 1) * steps[0]),
                   x->dims[3] + (int)(pads[1] + pads[3] - (w->dims[3] - 1) * steps[1])};
    EXPECT_INT(x->dims[1], w->dims[1]);
    Tensor *y = add_tensor(run, node->output.text, 4, dims);
    for (size_t i = 0; i < count_of(y); i++) {
        Index to = index_at(y, i);
        for (size_t k = 0; k < (size_t)(w->dims[1] * w->dims[2] * w->dims[3]); k++) {
            const size_t tap = (size_t)to.at[1] * (size_t)(w->dims[1] * w->dims[2] * w->dims[3]);
            Index kernel = index_at(w, tap + k);
            int at[4] = {to.at[0], kernel.at[1],
                         to.at[2] + (int)(kernel.at[2] * steps[0] - pads[0]),
                         to.at[3] + (int)(kernel.at[3] * steps[1] - pads[1])};
            if (at[2] >= 0 && at[2] < x->dims[2] && at[3] >= 0 && at[3] < x->dims[3])
                y->values[i] += w->values[tap + k] * x->values[element_at(x, at)];
        }
    }
}

static inline void run_max_pool(Run *run, const Node *node, const Tensor *x) {
    const int64_t *kernel = attribute_of(node, "kernel_shape")->whole,
                  *pads = attribute_of(node, "pads")->whole;
    Tensor *y = add_tensor(run, node->output.text, 4, x->dims);
    for (size_t i = 0; i < count_of(y); i++) {
        Index to = index_at(y, i);
        y->values[i] = -INFINITY;
        for (int k = 0; k < kernel[0] * kernel[1]; k++) {
            int at[4] = {to.at[0], to.at[1], to.at[2] + (int)(k / kernel[1] - pads[0]),
                         to.at[3] + (int)(k % kernel[1] - pads[1])};
            if (at[2] >= 0 && at[2] < x->dims[2] && at[3] >= 0 && at[3] < x->dims[3])
                y->values[i] = fmaxf(y->values[i], x->values[element_at(x, at)]);
        }
    }
}

/* Multiplies matrices, whose rows and columns are the last two dimensions. The other dimensions are
 * broadcast. */
static inline void run_matmul(Run *run, const Node *node, const Tensor *a, const Tensor *b) {
    int dims[RANK_MAX], m = a->dims[a->rank - 2], k = a->dims[a->rank - 1];
    EXPECT_INT(k, b->dims[b->rank - 2]);
    Tensor left = *a, right = *b;
    left.dims[a->rank - 2] = left.dims[a->rank - 1] = 1;
    right.dims[b->rank - 2] = right.dims[b->rank - 1] = 1;
    int rank = broadcast_dims(&left, &right, dims);
    dims[rank - 2] = m;
    dims[rank - 1] = b->dims[b->rank - 1];
    Tensor *y = add_tensor(run, node->output.text, rank, dims);
    for (size_t i = 0; i < count_of(y); i++) {
        Index index = index_at(y, i), row = index, column = index;
        for (int c = 0; c < k; c++) {
            row.at[rank - 1] = c;
            column.at[rank - 2] = c;
            y->values[i] += broadcast_value(a, &row, rank) * broadcast_value(b, &column, rank);
        }
    }
}

static inline void run_batch_norm(Run *run, const Node *node, const Tensor *x) {
    Tensor *y = add_tensor(run, node->output.text, x->rank, x->dims), *p[4];
    for (int i = 0; i < 4; i++)
        p[i] = find_tensor(run, node->inputs[1 + i].text);
    for (size_t i = 0; i < count_of(x); i++) {
        int c = index_at(x, i).at[1];
        y->values[i] = p[0]->values[c] * (x->values[i] - p[2]->values[c]) /
                           sqrtf(p[3]->values[c] + attribute_of(node, "epsilon")->number) +
                       p[1]->values[c];
    }
}

/* Takes the softmax, the logarithm of the softmax, or the layer norm over the last dimension. */
static inline void run_last(Run *run, const Node *node, const Tensor *x) {
    Tensor *y = add_tensor(run, node->output.text, x->rank, x->dims);
    size_t width = (size_t)x->dims[x->rank - 1];
    bool log_softmax = same(&node->type, "LogSoftmax"),
         softmax = log_softmax || same(&node->type, "Softmax");
    EXPECT_INT(-1, attribute_of(node, "axis")->whole[0]);
    for (size_t row = 0; row < count_of(x); row += width) {
        const float *in = x->values + row;
        double sum = 0, squares = 0, max = -1e300;
        for (size_t i = 0; i < width; i++) {
            sum += (double)in[i] / (double)width;
            max = fmax(max, (double)in[i]);
        }
        for (size_t i = 0; i < width; i++)
            squares +=
                softmax ? exp((double)in[i] - max) : pow((double)in[i] - sum, 2) / (double)width;
        double root = softmax ? 0 : sqrt(squares + (double)attribute_of(node, "epsilon")->number);
        for (size_t i = 0; i < width; i++)
            y->values[row + i] = log_softmax ? (float)((double)in[i] - max - log(squares))
                                 : softmax
                                     ? (float)(exp((double)in[i] - max) / squares)
                                     : (float)(((double)in[i] - sum) / root) *
                                               find_tensor(run, node->inputs[1].text)->values[i] +
                                           find_tensor(run, node->inputs[2].text)->values[i];
    }
}

static inline void run_reduce(Run *run, const Node *node, const Tensor *x) {
    const Attribute *axes = attribute_of(node, "axes");
    bool keep = attribute_of(node, "keepdims")->whole[0], gone[RANK_MAX] = {false},
         max = same(&node->type, "ReduceMax"), log_sum = same(&node->type, "ReduceLogSumExp");
    int dims[RANK_MAX], rank = 0;
    double count = 1;
    for (int i = 0; i < axes->count; i++)
        gone[axes->whole[i]] = true;
    for (int i = 0; i < x->rank; i++) {
        if (gone[i]) count *= x->dims[i];
        if (!gone[i] || keep) dims[rank++] = gone[i] ? 1 : x->dims[i];
    }
    Tensor *y = add_tensor(run, node->output.text, rank, dims);
    for (size_t i = 0; max && i < count_of(y); i++)
        y->values[i] = -INFINITY;
    for (size_t i = 0; i < count_of(x); i++) {
        Index from = index_at(x, i);
        int at[RANK_MAX], used = 0;
        for (int d = 0; d < x->rank; d++) {
            if (!gone[d] || keep) at[used++] = gone[d] ? 0 : from.at[d];
        }
        float *to = &y->values[element_at(y, at)];
        double value = (double)x->values[i];
        *to = max ? fmaxf(*to, x->values[i]) : *to + (float)(log_sum ? exp(value) : value / count);
    }
    for (size_t i = 0; log_sum && i < count_of(y); i++)
        y->values[i] = logf(y->values[i]);
}

static inline void run_transpose(Run *run, const Node *node, const Tensor *x) {
    const int64_t *order = attribute_of(node, "perm")->whole;
    int dims[RANK_MAX];
    for (int i = 0; i < x->rank; i++)
        dims[i] = x->dims[order[i]];
    Tensor *y = add_tensor(run, node->output.text, x->rank, dims);
    for (size_t i = 0; i < count_of(y); i++) {
        Index to = index_at(y, i), from;
        for (int d = 0; d < x->rank; d++)
            from.at[order[d]] = to.at[d];
        y->values[i] = x->values[element_at(x, from.at)];
    }
}

static inline void copy_as(Run *run, const Node *node, const Tensor *x, int rank, const int *dims) {
    Tensor *y = add_tensor(run, node->output.text, rank, dims);
    EXPECT_INT(count_of(x), count_of(y));
    memcpy(y->values, x->values, count_of(x) * sizeof(float));
}

static inline void run_reshape(Run *run, const Node *node, const Tensor *x, const Tensor *shape) {
    int dims[RANK_MAX], rank = shape->dims[0], left = (int)count_of(x), open = -1;
    EXPECT_TRUE(rank <= RANK_MAX);
    for (int i = 0; i < rank; i++) {
        dims[i] = (int)shape->values[i] ? (int)shape->values[i] : x->dims[i];
        if (dims[i] < 0)
            open = i;
        else
            left /= dims[i];
    }
    if (open >= 0) dims[open] = left;
    copy_as(run, node, x, rank, dims);
}

static inline void run_unsqueeze(Run *run, const Node *node, const Tensor *x, const Tensor *axes) {
    int dims[RANK_MAX], rank = x->rank + axes->dims[0], from = 0, next = 0;
    for (int i = 0; i < rank; i++) {
        bool added = next < axes->dims[0] && (int)axes->values[next] == i;
        if (added) next++;
        dims[i] = added ? 1 : x->dims[from++];
    }
    copy_as(run, node, x, rank, dims);
}

static inline void run_slice(Run *run, const Node *node, const Tensor *x) {
    int first = (int)find_tensor(run, node->inputs[1].text)->values[0],
        end = (int)find_tensor(run, node->inputs[2].text)->values[0],
        axis = (int)find_tensor(run, node->inputs[3].text)->values[0], dims[RANK_MAX];
    memcpy(dims, x->dims, sizeof dims);
    EXPECT_TRUE(first >= 0 && first < end && end <= dims[axis]);
    dims[axis] = end - first;
    Tensor *y = add_tensor(run, node->output.text, x->rank, dims);
    for (size_t i = 0; i < count_of(y); i++) {
        Index index = index_at(y, i);
        index.at[axis] += first;
        y->values[i] = x->values[element_at(x, index.at)];
    }
}

static inline void run_concat(Run *run, const Node *node, const Tensor *a, const Tensor *b) {
    int axis = (int)attribute_of(node, "axis")->whole[0], dims[RANK_MAX];
    memcpy(dims, a->dims, sizeof dims);
    dims[axis] += b->dims[axis];
    Tensor *y = add_tensor(run, node->output.text, a->rank, dims);
    for (size_t i = 0; i < count_of(y); i++) {
        Index index = index_at(y, i);
        bool second = index.at[axis] >= a->dims[axis];
        if (second) index.at[axis] -= a->dims[axis];
        y->values[i] =
            second ? b->values[element_at(b, index.at)] : a->values[element_at(a, index.at)];
    }
}

/* In the shape of the result, the dimensions of `indices` stand in place of the axis. */
static inline void run_gather(Run *run, const Node *node, const Tensor *x, const Tensor *indices) {
    int axis = (int)attribute_of(node, "axis")->whole[0], dims[RANK_MAX], rank = 0;
    for (int i = 0; i < axis; i++)
        dims[rank++] = x->dims[i];
    for (int i = 0; i < indices->rank; i++)
        dims[rank++] = indices->dims[i];
    for (int i = axis + 1; i < x->rank; i++)
        dims[rank++] = x->dims[i];
    Tensor *y = add_tensor(run, node->output.text, rank, dims);
    for (size_t i = 0; i < count_of(y); i++) {
        Index to = index_at(y, i);
        int at[RANK_MAX];
        float index = indices->values[element_at(indices, to.at + axis)];
        for (int d = 0; d < x->rank; d++)
            at[d] = d < axis ? to.at[d] : d == axis ? (int)index : to.at[d + indices->rank - 1];
        EXPECT_TRUE(at[axis] >= 0 && at[axis] < x->dims[axis]);
        y->values[i] = x->values[element_at(x, at)];
    }
}

static inline void run_shape(Run *run, const Node *node, const Tensor *x) {
    int first = (int)attribute_of(node, "start")->whole[0],
        count = (int)attribute_of(node, "end")->whole[0] - first;
    Tensor *y = add_tensor(run, node->output.text, 1, &count);
    for (int i = 0; i < count; i++)
        y->values[i] = (float)x->dims[first + i];
}

static inline void run_expand(Run *run, const Node *node, const Tensor *x, const Tensor *shape) {
    Tensor want = {.rank = shape->dims[0]};
    int dims[RANK_MAX];
    for (int i = 0; i < want.rank; i++)
        want.dims[i] = (int)shape->values[i];
    int rank = broadcast_dims(x, &want, dims);
    Tensor *y = add_tensor(run, node->output.text, rank, dims);
    for (size_t i = 0; i < count_of(y); i++) {
        Index index = index_at(y, i);
        y->values[i] = broadcast_value(x, &index, rank);
    }
}

static inline void run_nodes(Run *run, Bytes graph);

/* Runs a loop that passes one value from each iteration to the next. Its body has the inputs
 * iteration number, condition and value, and the outputs condition and value. Other values of an
 * iteration are removed after it. */
static inline void run_loop(Run *run, const Node *node, const Tensor *turns, const Tensor *x) {
    Model body = {.graph = attribute_of(node, "body")->graph};
    read_ports(&body);
    EXPECT_INT(3, body.input_count);
    EXPECT_INT(2, body.output_count);
    EXPECT_TEXT("", node->inputs[1].text);
    Tensor value = *x;
    bool more = true;
    for (int turn = 0; turn < (int)turns->values[0] && more; turn++) {
        int before = run->count;
        add_tensor(run, body.inputs[0].name.text, 0, NULL)->values[0] = (float)turn;
        add_tensor(run, body.inputs[1].name.text, 0, NULL)->values[0] = 1;
        add_tensor(run, body.inputs[2].name.text, value.rank, value.dims)->values = value.values;
        run_nodes(run, body.graph);
        more = find_tensor(run, body.outputs[0].name.text)->values[0] != 0;
        value = *find_tensor(run, body.outputs[1].name.text);
        run->count = before;
    }
    copy_as(run, node, &value, value.rank, value.dims);
}

typedef void RunOne(Run *run, const Node *node, const Tensor *x);
typedef void RunTwo(Run *run, const Node *node, const Tensor *a, const Tensor *b);
static const struct {
    const char *type;
    RunOne *one;
    RunTwo *two;
} OPERATORS[] = {
    {"Conv", NULL, run_conv},
    {"MaxPool", run_max_pool, NULL},
    {"MatMul", NULL, run_matmul},
    {"BatchNormalization", run_batch_norm, NULL},
    {"LayerNormalization", run_last, NULL},
    {"Softmax", run_last, NULL},
    {"LogSoftmax", run_last, NULL},
    {"ReduceMean", run_reduce, NULL},
    {"ReduceMax", run_reduce, NULL},
    {"ReduceLogSumExp", run_reduce, NULL},
    {"Transpose", run_transpose, NULL},
    {"Reshape", NULL, run_reshape},
    {"Unsqueeze", NULL, run_unsqueeze},
    {"Slice", run_slice, NULL},
    {"Concat", NULL, run_concat},
    {"Gather", NULL, run_gather},
    {"Shape", run_shape, NULL},
    {"Expand", NULL, run_expand},
};

static inline void run_node(Run *run, const Node *node) {
    Tensor *inputs[NODE_INPUTS_MAX] = {NULL};
    for (int i = 0; i < node->input_count; i++) {
        inputs[i] = find_tensor(run, node->inputs[i].text);
        if (!inputs[i] && node->inputs[i].text[0])
            fail_msg("%s has no input %s", node->output.text, node->inputs[i].text);
    }
    for (size_t i = 0; i < sizeof OPERATORS / sizeof *OPERATORS; i++) {
        if (!same(&node->type, OPERATORS[i].type)) continue;
        if (OPERATORS[i].one)
            OPERATORS[i].one(run, node, inputs[0]);
        else
            OPERATORS[i].two(run, node, inputs[0], inputs[1]);
        return;
    }
    if (same(&node->type, "Loop"))
        run_loop(run, node, inputs[0], inputs[2]);
    else if (is_binary(node->type.text))
        run_binary(run, node, inputs[0], inputs[1]);
    else
        run_unary(run, node, inputs[0]);
}

static inline void run_nodes(Run *run, Bytes graph) {
    for (Field field; take_field(&graph, &field);) {
        if (field.number != 1) continue;
        Node node = read_node(field.bytes);
        run_node(run, &node);
    }
}

/* Makes a run that has only the constants of the model. The caller adds the inputs, and frees the
 * run with run_free(). */
static inline Run *run_new(const Model *model) {
    Run *run = calloc(1, sizeof *run);
    EXPECT_TRUE(run != NULL);
    Bytes graph = model->graph;
    for (Field field; take_field(&graph, &field);) {
        if (field.number == 5) read_tensor(run, field.bytes);
    }
    return run;
}

static inline void run_free(Run *run) {
    arena_clear(&run->arena);
    free(run);
}
