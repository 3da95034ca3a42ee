/* How a net learns. Each op has a node that holds, for the whole batch in f32, its values, their
 * gradients and what backward needs:
 *   1. build(): make a node for each op, in the order of the program. A node runs the definition of
 *      its op (op.h) unless there is something faster: convolutions and dense layers are matrix
 *      products (learn_matrix.h), and attention without tables is several products
 *      (learn_attention.h), all in bf16 if LearnSetup.precision asks for it; layer and RMS norms
 *      have kernels (learn_norm.h).
 *   2. find_chains(): let scale, bias, relu and mask run in one pass over memory where each op is
 *      the only reader of the op before it (learn_chain.h). find_layers(): let attention and gated
 *      layers run as one step with the dense layers around them, if there is AMX
 *      (learn_attention_layers.h, learn_gated.h).
 *   3. alias_gradients(): if only a sum reads a value, let the value use the gradient of the sum
 *      instead of a copy of it.
 *   4. order_gradients(): for each value, find the reader that comes first in the backward pass.
 *      This reader overwrites the gradient of the value; the other readers add to it.
 *   5. learn_forward() runs the nodes in order, learn_backward() in reverse. */
#include "nn/learn/learn.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"
#include "nn/backends/onednn/infer_onednn.h"
#include "nn/graph/only_side.h"
#include "nn/kernels/transformer/attention_amx.h"
#include "nn/learn/learn_attention.h"
#include "nn/learn/learn_attention_layers.h"
#include "nn/learn/learn_chain.h"
#include "nn/learn/learn_gated.h"
#include "nn/learn/learn_matrix.h"
#include "nn/learn/learn_norm.h"
#include "nn/ops/attention/attention_shape.h"
#include "nn/ops/op_table.h"

typedef struct {
    OpCall call;
    float *y, *dy, *saved;
    size_t elements;     /* in a sample */
    bool wants_gradient; /* this op, or one that it depends on, has trained parameters */
    LearnMatrix matrix;  /* replaces the definition if learn_matrix_is_there() */
    bool attends;        /* learn_attention.h replaces the definition */
    bool norms;          /* learn_norm.h replaces the definition */
    int tail;            /* the last op of the chain that begins here; -1 if none does */
    LearnGated gated;    /* the gated layer that begins here; its `up` is NULL if none does */
    LearnAttentionLayers attention; /* the same for attention with its layers; `qkv` is NULL */
    bool inside;                    /* in one of these, but not its first op, which runs them all */
    bool borrows_dy; /* dy is the dy of the only reader, a sum, which then copies nothing */
    int readers;     /* ops and outputs that read y */
} Node;

struct Learn {
    Net *net;
    const Program *program;
    LearnSetup setup;
    OnlySide only;
    Node *nodes;
    int count;
    float *mask, *area;
    float **gradients; /* indexed by parameter */
    float *scratch;    /* of matrices and attention; they use it one after another */
    size_t scratch_elements;
    OnednnLearn *onednn;
    int samples;   /* of the last forward pass */
    bool kept;     /* see learn_keep_weights() */
    OpTime *times; /* by op; NULL while nothing is measured */
};

static int rows_of(const Op *op, const LearnSetup *setup) {
    return op_rows(op, setup->height, setup->width);
}

static bool is_matrix(const Op *op) {
    return op->kind == OP_CONV || op->kind == OP_DENSE;
}

static bool has_trained(const Program *program, const Op *op) {
    for (int i = 0; i < 4; i++) {
        if (op->parameters[i] >= 0 && program_parameter(program, op->parameters[i])->trained)
            return true;
    }
    return false;
}

static bool attends_in_bf16(const Learn *learn) {
    return learn->setup.precision == PRECISION_BF16 && learn_attention_can_bf16();
}

static void want_scratch(Learn *learn, size_t elements) {
    if (elements > learn->scratch_elements) learn->scratch_elements = elements;
}

static Status make_matrix(Learn *learn, Node *node, const Op *op, Error *err) {
    const LearnSetup *setup = &learn->setup;
    bool dense = op->kind == OP_DENSE;
    int rows = dense ? rows_of(op, setup) : 1;
    if (setup->batch > INT_MAX / rows)
        return fail(err, ERR_ARGUMENT, "%s: a batch of %d with %d rows each is too large", op->name,
                    setup->batch, rows);
    const OnednnPairSetup matrix = {
        .dense = dense,
        .n = setup->batch * rows,
        .height = dense ? 1 : setup->height,
        .width = dense ? 1 : setup->width,
        .in_channels = program_op(learn->program, op->inputs[0])->channels,
        .out_channels = op->channels,
        .kernel_h = dense ? 1 : op->kernel_h,
        .kernel_w = dense ? 1 : op->kernel_w,
        .dilation = dense ? 1 : op->dilation,
        .bf16 = setup->precision == PRECISION_BF16,
        .wants_dx = learn->nodes[op->inputs[0]].wants_gradient,
    };
    Status status = learn_matrix_new(learn->onednn, &matrix, &node->matrix, err);
    want_scratch(learn, learn_matrix_scratch(&node->matrix));
    return status;
}

/* Sets the parts of a call that stay the same from run to run. */
static void set_call(Learn *learn, int index) {
    Node *node = &learn->nodes[index];
    const Op *op = program_op(learn->program, index), *inputs[2] = {NULL, NULL};
    for (int i = 0; i < 2 && op->inputs[i] >= 0; i++)
        inputs[i] = program_op(learn->program, op->inputs[i]);
    OpCall *call = &node->call;
    *call = op_call(op, inputs, learn->setup.height, learn->setup.width);
    call->mask = learn->mask;
    call->area = learn->area;
    call->saved = node->saved;
    call->y = node->y;
    call->dy = node->dy;
    for (int i = 0; i < 2 && inputs[i]; i++) {
        Node *from = &learn->nodes[op->inputs[i]];
        call->x[i] = from->y;
        call->dx[i] = from->wants_gradient && !from->borrows_dy ? from->dy : NULL;
    }
    for (int i = 0; i < 4 && op->parameters[i] >= 0; i++) {
        float *values = net_values(learn->net, op->parameters[i]);
        call->parameters[i] = values;
        call->gradients[i] = learn->gradients[op->parameters[i]];
        if (op_class(op->kind)->statistics >> i & 1) call->running[i] = values;
    }
}

/* For each value, finds the reader that comes first in the backward pass and lets it overwrite the
 * gradient of the value. The caller writes the gradients of outputs, so no reader overwrites
 * these. */
static void order_gradients(Learn *learn, bool *written) {
    for (int i = 0; i < program_output_count(learn->program); i++)
        written[program_output_value(learn->program, i)] = true;
    for (int index = learn->count - 1; index >= 0; index--) {
        Node *node = &learn->nodes[index];
        for (int i = 0; i < 2; i++) {
            Value input = node->call.op->inputs[i];
            if (input < 0 || !node->call.dx[i] || !node->wants_gradient) continue;
            node->call.first[i] = !written[input];
            written[input] = true;
        }
    }
}

/* Allocates an array of zeros, which is large for large batches. */
static Status make_array(size_t count, float **out, Error *err) {
    static const size_t LARGE = (size_t)1 << 24; /* bytes; smaller arrays are not worth the check */
    size_t bytes = mem_array_bytes(count, sizeof(float));
    if (bytes >= LARGE && bytes > (size_t)mem_available())
        return fail(err, ERR_MEMORY, "an array of %.2f GB is needed, and %.2f GB are free",
                    (double)bytes / 1e9, (double)mem_available() / 1e9);
    return mem_new_aligned(count, sizeof(float), out, err);
}

static Status make_node(Learn *learn, int index, bool onednn, Error *err) {
    const Op *op = program_op(learn->program, index);
    const LearnSetup *setup = &learn->setup;
    Node *node = &learn->nodes[index];
    node->elements = (size_t)rows_of(op, setup) * (size_t)op->channels;
    node->wants_gradient = has_trained(learn->program, op);
    for (int i = 0; i < 2 && op->inputs[i] >= 0; i++)
        node->wants_gradient |= learn->nodes[op->inputs[i]].wants_gradient;
    size_t total = mem_array_bytes((size_t)setup->batch, node->elements);
    Status status = make_array(total, &node->y, err);
    if (!status && node->wants_gradient) status = make_array(total, &node->dy, err);
    const OpClass *class = op_class(op->kind);
    node->attends = onednn && learn_attention_can(op);
    int cells = setup->height * setup->width;
    if (!status && class->saved)
        status = make_array(
            node->attends ? learn_attention_saved(op, setup->batch, cells, attends_in_bf16(learn))
                          : class->saved(op, setup->batch, cells),
            &node->saved, err);
    node->norms = onednn && learn_norm_can(op);
    if (node->attends)
        want_scratch(learn, learn_attention_scratch(op, setup->height * setup->width));
    return !status && onednn && is_matrix(op) ? make_matrix(learn, node, op, err) : status;
}

static Status make_gradients(Learn *learn, Error *err) {
    int count = program_parameter_count(learn->program);
    Status status = mem_new((size_t)count, sizeof *learn->gradients, &learn->gradients, err);
    for (int i = 0; i < count && !status; i++) {
        const ParameterSpec *spec = program_parameter(learn->program, i);
        if (spec->trained)
            status = mem_new_aligned(spec->count, sizeof(float), &learn->gradients[i], err);
    }
    return status;
}

static void count_readers(Learn *learn) {
    for (int i = 0; i < program_output_count(learn->program); i++)
        learn->nodes[program_output_value(learn->program, i)].readers++;
    for (int i = 0; i < learn->count; i++) {
        const Op *op = program_op(learn->program, i);
        for (int k = 0; k < 2 && op->inputs[k] >= 0; k++)
            learn->nodes[op->inputs[k]].readers++;
    }
}

/* Returns the only reader of `value` if it is an op of this kind, or -1. */
static int only_reader(const Learn *learn, int value, OpKind kind) {
    if (learn->nodes[value].readers != 1) return -1;
    for (int i = value + 1; i < learn->count; i++) {
        const Op *op = program_op(learn->program, i);
        if (op->inputs[0] == value || op->inputs[1] == value) return op->kind == kind ? i : -1;
    }
    return -1;
}

/* Looks for a chain that begins with `head`: scale, bias, relu and mask, where each op is the only
 * reader of the op before it. Scale and mask may be missing. Returns the last op of the chain, or
 * -1 if there is no chain. */
static int chain_tail(const Learn *learn, int head) {
    const Op *op = program_op(learn->program, head);
    int bias = op->kind == OP_SCALE  ? only_reader(learn, head, OP_BIAS)
               : op->kind == OP_BIAS ? head
                                     : -1;
    if (bias < 0 || !learn->nodes[op->inputs[0]].wants_gradient) return -1;
    if (!has_trained(learn->program, op) ||
        !has_trained(learn->program, program_op(learn->program, bias)))
        return -1;
    int relu = only_reader(learn, bias, OP_ACTIVATION);
    if (relu < 0 || program_op(learn->program, relu)->activation != ACTIVATION_RELU) return -1;
    int mask = only_reader(learn, relu, OP_MASK);
    return mask < 0 ? relu : mask;
}

static void drop_values(Node *node) {
    free(node->y);
    free(node->dy);
    node->y = node->dy = NULL;
}

static void find_chains(Learn *learn) {
    for (int i = 0; i < learn->count; i++) {
        Node *node = &learn->nodes[i];
        node->tail = -1;
        if (node->inside) continue;
        node->tail = chain_tail(learn, i);
        for (int at = node->tail; at > i; at = program_op(learn->program, at)->inputs[0]) {
            learn->nodes[at].inside = true;
            if (at != node->tail) drop_values(&learn->nodes[at]);
        }
        if (node->tail >= 0) drop_values(node);
    }
}

/* Returns the dense layer that op `index` is, if it runs by dense_amx.h, or NULL. */
static DenseAmx *dense_of(const Learn *learn, int index) {
    return index >= 0 && index < learn->count ? learn->nodes[index].matrix.dense : NULL;
}

/* Looks for a gated layer (learn_gated.h) that begins with `head`: the layers up and gate in any
 * order, silu, multiply and down, one after the other. */
static void find_gated(Learn *learn, int head) {
    int silu = head + 2, multiply = head + 3, down = head + 4;
    LearnGated *gated = &learn->nodes[head].gated;
    if (!dense_of(learn, head) || !dense_of(learn, head + 1) || !dense_of(learn, down)) return;
    const Op *op = program_op(learn->program, silu);
    int up = op->inputs[0], gate = 2 * head + 1 - up; /* the other one of the first two */
    if (op->kind != OP_ACTIVATION || op->activation != ACTIVATION_SILU ||
        (up != head && up != head + 1) || !learn->nodes[head].wants_gradient)
        return;
    if (only_reader(learn, up, OP_ACTIVATION) != silu ||
        only_reader(learn, gate, OP_MULTIPLY) != multiply ||
        only_reader(learn, silu, OP_MULTIPLY) != multiply ||
        only_reader(learn, multiply, OP_DENSE) != down ||
        program_op(learn->program, up)->inputs[0] != program_op(learn->program, gate)->inputs[0])
        return;
    *gated =
        (LearnGated){dense_of(learn, up),    dense_of(learn, gate),    dense_of(learn, down),
                     &learn->nodes[up].call, &learn->nodes[gate].call, &learn->nodes[down].call};
    for (int i = head; i <= down; i++) {
        learn->nodes[i].inside = i > head;
        if (i < down) drop_values(&learn->nodes[i]);
    }
}

/* Looks for attention with its layers (learn_attention_layers.h) that begins with the layer `qkv`:
 * the ops follow one after the other, and rotary may be missing. */
static void find_attention(Learn *learn, int qkv) {
    int rotary = only_reader(learn, qkv, OP_ROTARY),
        attention = only_reader(learn, rotary >= 0 ? rotary : qkv, OP_ATTENTION),
        out = attention >= 0 ? only_reader(learn, attention, OP_DENSE) : -1;
    if (!dense_of(learn, qkv) || !dense_of(learn, out) || !learn->nodes[qkv].wants_gradient ||
        !attention_amx_can() || out != qkv + (rotary >= 0 ? 3 : 2))
        return;
    const Program *program = net_program(learn->net);
    if (rotary >= 0 && !attention_same_heads(program_op(program, rotary)->attention,
                                             program_op(program, attention)->attention))
        return;
    learn->nodes[qkv].attention = (LearnAttentionLayers){
        dense_of(learn, qkv),          dense_of(learn, out),
        &learn->nodes[qkv].call,       rotary >= 0 ? &learn->nodes[rotary].call : NULL,
        &learn->nodes[attention].call, &learn->nodes[out].call,
    };
    for (int i = qkv; i <= out; i++) {
        Node *node = &learn->nodes[i];
        node->inside = i > qkv;
        if (i < attention) drop_values(node);
    }
    free(learn->nodes[attention].dy);
    learn->nodes[attention].dy = NULL;
}

/* Finds layers of transformers that run as one step. */
static void find_layers(Learn *learn) {
    for (int i = 0; i < learn->count; i++) {
        if (i + 4 < learn->count) find_gated(learn, i);
        if (dense_of(learn, i)) find_attention(learn, i);
    }
}

/* A sum passes its gradient on to its inputs unchanged. So an input that only the sum reads can use
 * the gradient of the sum itself and needs no copy. */
static void alias_gradients(Learn *learn) {
    for (int i = learn->count - 1; i >= 0; i--) {
        const Op *op = program_op(learn->program, i);
        for (int k = 0; k < op_class(op->kind)->passes; k++) {
            Node *input = &learn->nodes[op->inputs[k]];
            if (input->readers != 1 || !input->dy) continue;
            free(input->dy);
            input->dy = learn->nodes[i].dy;
            input->borrows_dy = true;
        }
    }
}

/* Returns the number of elements of the node's first input in all samples. */
static size_t input_elements(const Learn *learn, const Node *node) {
    return (size_t)learn->setup.batch * learn->nodes[node->call.op->inputs[0]].elements;
}

static Status make_spares(Learn *learn, Error *err) {
    Status status = OK;
    for (int i = 0; i < learn->count && !status; i++) {
        Node *node = &learn->nodes[i];
        if (!node->call.dx[0] || node->call.first[0]) continue;
        status = learn_matrix_make_spare(&node->matrix, input_elements(learn, node), err);
    }
    return status;
}

static Status build(Learn *learn, bool onednn, Error *err) {
    bool *written = NULL;
    size_t cells = (size_t)learn->setup.height * (size_t)learn->setup.width,
           batch = (size_t)learn->setup.batch;
    Status status = mem_new((size_t)learn->count, sizeof *learn->nodes, &learn->nodes, err);
    if (!status) status = mem_new_aligned(batch * cells, sizeof(float), &learn->mask, err);
    if (!status) status = mem_new_aligned(batch, sizeof(float), &learn->area, err);
    if (!status) status = make_gradients(learn, err);
    if (!status && onednn) status = onednn_learn_new(&learn->onednn, err);
    for (int i = 0; i < learn->count && !status; i++)
        status = make_node(learn, i, onednn, err);
    if (!status) {
        count_readers(learn);
        find_chains(learn);
        find_layers(learn);
        alias_gradients(learn);
    }
    for (int i = 0; i < learn->count && !status; i++)
        set_call(learn, i);
    for (int i = 0; i < learn->count && !status; i++) {
        const Node *node = &learn->nodes[i];
        if (node->gated.up) want_scratch(learn, learn_gated_scratch(&node->gated));
        if (node->attention.qkv)
            want_scratch(learn, learn_attention_layers_scratch(&node->attention));
    }
    if (!status && learn->scratch_elements)
        status = mem_new_aligned(learn->scratch_elements, sizeof(float), &learn->scratch, err);
    if (!status) status = mem_new((size_t)learn->count, sizeof *written, &written, err);
    if (!status) order_gradients(learn, written);
    free(written);
    return status ? status : make_spares(learn, err);
}

Status learn_new(Net *net, const LearnSetup *setup, Learn **out, Error *err) {
    *out = NULL;
    Status status = backend_check(setup->backend ? setup->backend : "auto", err);
    if (status) return status;
    bool possible = setup->batch >= 1 && setup->batch <= 1 << 20 && setup->height >= 1 &&
                    setup->height <= 256 && setup->width >= 1 && setup->width <= 256 &&
                    setup->batch <= INT_MAX / (setup->height * setup->width);
    if (!possible)
        return fail(err, ERR_ARGUMENT, "a batch of %d boards of %dx%d is impossible", setup->batch,
                    setup->width, setup->height);
    if (setup->precision != PRECISION_F32 && setup->precision != PRECISION_BF16)
        return fail(err, ERR_UNSUPPORTED, "nets learn in f32 or bf16, not in %s",
                    precision_name(setup->precision));
    Learn *learn;
    status = mem_new(1, sizeof *learn, &learn, err);
    if (status) return status;
    learn->net = net;
    learn->program = net_program(net);
    learn->setup = *setup;
    learn->count = program_op_count(learn->program);
    learn->only = only_side_of(learn->program);
    status = build(learn, !setup->backend || strcmp(setup->backend, "reference") != 0, err);
    if (status) {
        learn_free(learn);
        return status;
    }
    learn_seed(learn, 0, 0);
    *out = learn;
    return OK;
}

void learn_free(Learn *learn) {
    if (!learn) return;
    for (int i = 0; learn->nodes && i < learn->count; i++) {
        learn_matrix_clear(&learn->nodes[i].matrix);
        free(learn->nodes[i].y);
        if (!learn->nodes[i].borrows_dy) free(learn->nodes[i].dy);
        free(learn->nodes[i].saved);
    }
    for (int i = 0; learn->gradients && i < program_parameter_count(learn->program); i++)
        free(learn->gradients[i]);
    onednn_learn_free(learn->onednn);
    free(learn->gradients);
    free(learn->scratch);
    free(learn->nodes);
    free(learn->mask);
    free(learn->area);
    free(learn->times);
    free(learn);
}

float *learn_input(Learn *learn, int input) {
    return learn->nodes[program_input_value(learn->program, input)].y;
}

/* Reads the mask and counts the cells on each board. A board without cells counts as 1 cell.
 * Samples beyond `count` have no cells on the mask. */
static void read_mask(Learn *learn, int count) {
    Value input;
    int channel;
    size_t cells = (size_t)learn->setup.height * (size_t)learn->setup.width;
    program_mask_source(learn->program, &input, &channel);
    size_t channels = input < 0 ? 0 : (size_t)program_op(learn->program, input)->channels;
    for (size_t b = 0; b < (size_t)learn->setup.batch; b++) {
        float area = 0;
        for (size_t r = b * cells; r < (b + 1) * cells; r++) {
            bool on = b < (size_t)count &&
                      (input < 0 || learn->nodes[input].y[r * channels + (size_t)channel] != 0);
            learn->mask[r] = on;
            area += learn->mask[r];
        }
        learn->area[b] = area > 0 ? area : 1;
    }
}

static void clear_rest(Learn *learn, int count) {
    size_t rest = (size_t)(learn->setup.batch - count);
    for (int i = 0; rest && i < program_input_count(learn->program); i++) {
        Node *node = &learn->nodes[program_input_value(learn->program, i)];
        memset(node->y + (size_t)count * node->elements, 0, rest * node->elements * sizeof(float));
    }
}

static ChainCall chain_of(const Learn *learn, const Node *head) {
    const OpCall *call = &head->call;
    const Node *tail = &learn->nodes[head->tail];
    ChainCall chain = {.rows = (size_t)call->n * (size_t)call->rows,
                       .channels = (size_t)call->op->channels,
                       .x = call->x[0],
                       .mask = tail->call.op->kind == OP_MASK ? learn->mask : NULL,
                       .y = tail->y,
                       .dy = tail->dy,
                       .dx = call->dx[0],
                       .add = !call->first[0]};
    if (call->op->kind == OP_SCALE) {
        chain.gain = call->parameters[0];
        chain.gain_gradient = call->gradients[0];
        call = &learn->nodes[only_reader(learn, (int)(head - learn->nodes), OP_BIAS)].call;
    }
    chain.bias = call->parameters[0];
    chain.bias_gradient = call->gradients[0];
    return chain;
}

static Status node_forward(Learn *learn, Node *node, Error *err) {
    const OpCall *call = &node->call;
    const OpClass *class = op_class(call->op->kind);
    if (node->gated.up) {
        learn_gated_forward(&node->gated, learn->kept, learn->scratch);
        return OK;
    }
    if (node->attention.qkv) {
        learn_attention_layers_forward(&node->attention, learn->kept, learn->scratch);
        return OK;
    }
    if (learn_matrix_is_there(&node->matrix))
        return learn_matrix_forward(&node->matrix, call, learn->kept, learn->scratch, err);
    if (node->attends) {
        learn_attention_forward(call, attends_in_bf16(learn), learn->scratch);
    } else if (node->norms) {
        learn_norm_forward(call);
    } else if (node->tail >= 0) {
        ChainCall chain = chain_of(learn, node);
        chain_forward(&chain);
    } else {
        class->forward(call);
    }
    return OK;
}

Status learn_forward(Learn *learn, int count, bool training, Error *err) {
    if (count < 1 || count > learn->setup.batch)
        return fail(err, ERR_ARGUMENT, "%d samples for a batch of %d", count, learn->setup.batch);
    const float *boards =
        learn->only.input < 0
            ? NULL
            : learn->nodes[program_input_value(learn->program, learn->only.input)].y;
    Status status =
        only_side_check(&learn->only, boards, count, learn->setup.height, learn->setup.width, err);
    if (status) return status;
    if (learn->onednn) onednn_infer_single();
    clear_rest(learn, count);
    read_mask(learn, count);
    learn->samples = count;
    for (int i = 0; i < learn->count; i++) {
        OpCall *call = &learn->nodes[i].call; /* a node may read those of later nodes, too */
        call->n = learn->setup.batch;
        call->active = count;
        call->training = training;
    }
    for (int i = 0; i < learn->count && !status; i++) {
        Node *node = &learn->nodes[i];
        if (node->inside || !op_class(node->call.op->kind)->forward) continue;
        double start = learn->times ? clock_thread_cpu_seconds() : 0;
        status = node_forward(learn, node, err);
        if (learn->times) learn->times[i].forward_seconds += clock_thread_cpu_seconds() - start;
    }
    for (int i = 0; i < program_output_count(learn->program); i++) {
        Node *node = &learn->nodes[program_output_value(learn->program, i)];
        if (node->dy)
            memset(node->dy, 0, (size_t)learn->setup.batch * node->elements * sizeof(float));
    }
    return status;
}

void learn_limit_renorm(Learn *learn, double r_max, double d_max) {
    for (int i = 0; i < learn->count; i++) {
        learn->nodes[i].call.r_max = (float)r_max;
        learn->nodes[i].call.d_max = (float)d_max;
    }
}

void learn_seed(Learn *learn, uint64_t seed, int first) {
    for (int i = 0; i < learn->count; i++) {
        learn->nodes[i].call.draw = hash_mix(seed + (uint64_t)i);
        learn->nodes[i].call.first_sample = first;
    }
}

void learn_keep_weights(Learn *learn, bool same) {
    learn->kept = same;
}

const float *learn_output(const Learn *learn, int output) {
    return learn->nodes[program_output_value(learn->program, output)].y;
}

SquareSum learn_square_sum(const Learn *learn, Value value) {
    const Node *node = &learn->nodes[value];
    const Op *op = program_op(learn->program, value);
    size_t channels = (size_t)op->channels, rows = node->elements / channels;
    bool masked = op->shape == KIND_SPATIAL;
    SquareSum out = {0};
    for (size_t r = 0; node->y && r < (size_t)learn->samples * rows; r++) {
        float sum = 0; /* of one row, so that the compiler may use vectors */
        if (masked && learn->mask[r] == 0) continue;
        for (size_t c = 0; c < channels; c++)
            sum += node->y[r * channels + c] * node->y[r * channels + c];
        out.sum += (double)sum;
        out.count += (double)channels;
    }
    return out;
}

float *learn_output_gradient(Learn *learn, int output) {
    return learn->nodes[program_output_value(learn->program, output)].dy;
}

static Status node_backward(Learn *learn, Node *node, Error *err) {
    const OpClass *class = op_class(node->call.op->kind);
    if (node->gated.up) {
        learn_gated_backward(&node->gated, learn->kept, learn->scratch);
        return OK;
    }
    if (node->attention.qkv) {
        learn_attention_layers_backward(&node->attention, learn->kept, learn->scratch);
        return OK;
    }
    if (learn_matrix_is_there(&node->matrix))
        return learn_matrix_backward(&node->matrix, &node->call, learn->kept,
                                     input_elements(learn, node), learn->scratch, err);
    if (node->attends) {
        learn_attention_backward(&node->call, attends_in_bf16(learn), learn->scratch);
    } else if (node->norms) {
        learn_norm_backward(&node->call);
    } else if (node->tail >= 0) {
        ChainCall chain = chain_of(learn, node);
        chain_backward(&chain);
    } else {
        /* the inputs of the net have no backward, but they want no gradient either */
        class->backward(&node->call);
    }
    return OK;
}

Status learn_backward(Learn *learn, Error *err) {
    Status status = OK;
    if (learn->onednn) onednn_infer_single();
    for (int i = learn->count - 1; i >= 0 && !status; i--) {
        Node *node = &learn->nodes[i];
        if (!node->wants_gradient || node->inside) continue;
        double start = learn->times ? clock_thread_cpu_seconds() : 0;
        status = node_backward(learn, node, err);
        if (learn->times) learn->times[i].backward_seconds += clock_thread_cpu_seconds() - start;
    }
    return status;
}

float *learn_gradient(Learn *learn, int parameter) {
    return learn->gradients[parameter];
}

void learn_clear_gradients(Learn *learn) {
    for (int i = 0; i < program_parameter_count(learn->program); i++) {
        if (learn->gradients[i])
            memset(learn->gradients[i], 0,
                   program_parameter(learn->program, i)->count * sizeof(float));
    }
}

/* Returns the OpTime.code of a node. */
static const char *code_of(const Learn *learn, const Node *node) {
    return node->attends                     ? attends_in_bf16(learn) ? "bf16" : "gemm"
           : node->norms                     ? "kernel"
           : node->matrix.dense              ? "amx"
           : node->tail >= 0 || node->inside ? "chain"
           : node->matrix.winograd           ? "winograd"
           : node->matrix.bf16               ? "bf16"
           : node->matrix.pair               ? "onednn"
                                             : "definition";
}

Status learn_time_ops(Learn *learn, Error *err) {
    Status status =
        learn->times ? OK : mem_new((size_t)learn->count, sizeof *learn->times, &learn->times, err);
    for (int i = 0; i < learn->count && !status; i++)
        learn->times[i] = (OpTime){.op = i, .code = code_of(learn, &learn->nodes[i])};
    return status;
}

const OpTime *learn_op_times(const Learn *learn) {
    return learn->times;
}
