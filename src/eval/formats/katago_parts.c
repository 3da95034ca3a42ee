#include "eval/formats/katago_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nn/ops/op_table.h"

bool parts_good(const KatagoParts *parts) {
    return !parts->sink.fault.status;
}

const Op *parts_op(const KatagoParts *parts, Value value) {
    static const Op NONE = {.kind = OP_KIND_COUNT, .inputs = {-1, -1}};
    return value < 0 ? &NONE : program_op(parts->program, value);
}

Value parts_input(const KatagoParts *parts, Value value, int index) {
    return parts_op(parts, value)->inputs[index];
}

static bool has_name(const Op *op) {
    return op->kind == OP_INPUT || op->parameters[0] >= 0;
}

void parts_refuse(KatagoParts *parts, Value at, const char *format, ...) {
    char text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *behind = "";
    while (at >= 0 && !has_name(parts_op(parts, at))) {
        at = parts_input(parts, at, 0);
        behind = "behind ";
    }
    katago_refuse(&parts->sink, ERR_UNSUPPORTED, "KataGo cannot have this net: %s%s: %s", behind,
                  at < 0 ? "the net" : parts_op(parts, at)->name, text);
}

static const char *kind_word(OpKind kind) {
    return kind == OP_KIND_COUNT ? "nothing" : op_class(kind)->phrase;
}

Value parts_expect(KatagoParts *parts, Value value, OpKind kind) {
    if (!parts_good(parts)) return -1;
    OpKind got = parts_op(parts, value)->kind;
    if (got == kind) return value;
    parts_refuse(parts, value, "%s, where KataGo wants %s", kind_word(got), kind_word(kind));
    return -1;
}

/* Whether the op adds or concatenates two convolutions that read the same value. */
static bool is_pair(const KatagoParts *parts, Value value) {
    OpKind kind = parts_op(parts, value)->kind;
    const Op *a = parts_op(parts, parts_input(parts, value, 0)),
             *b = parts_op(parts, parts_input(parts, value, 1));
    return (kind == OP_ADD || kind == OP_CONCAT) && a->kind == OP_CONV && b->kind == OP_CONV &&
           a->inputs[0] == b->inputs[0];
}

Value parts_expect_conv(KatagoParts *parts, Value value) {
    return is_pair(parts, value) ? value : parts_expect(parts, value, OP_CONV);
}

Value parts_conv_input(const KatagoParts *parts, Value conv) {
    Value first = parts_input(parts, conv, 0);
    return is_pair(parts, conv) ? parts_input(parts, first, 0) : first;
}

void parts_meet(KatagoParts *parts, Value at, Value got, Value wanted) {
    if (parts_good(parts) && got != wanted)
        parts_refuse(parts, at, "it reads another value than KataGo's layer of this kind");
}

/* Follows a channel of a value through slices and concatenations to the value that it comes from.
 * Returns this value, and changes `*channel` to its channel there. */
static Value trace(const KatagoParts *parts, Value value, int *channel) {
    for (;;) {
        const Op *op = parts_op(parts, value);
        if (op->kind == OP_SLICE) {
            *channel += op->first;
            value = op->inputs[0];
        } else if (op->kind == OP_CONCAT) {
            int before = parts_op(parts, op->inputs[0])->channels;
            bool second = *channel >= before;
            if (second) *channel -= before;
            value = op->inputs[second];
        } else {
            return value;
        }
    }
}

Value parts_selected_from(const KatagoParts *parts, Value value) {
    int channel = 0;
    Value from = trace(parts, value, &channel);
    for (int c = 1; c < parts_op(parts, value)->channels; c++) {
        channel = c;
        if (trace(parts, value, &channel) != from) return value;
    }
    return from;
}

const float *parts_values(const KatagoParts *parts, Value op, int slot) {
    return net_values_const(parts->net, parts_op(parts, op)->parameters[slot]);
}

/* If `*end` is the result of an op of this kind, returns it and sets `*end` to the op's input.
 * Otherwise returns -1. */
static Value peel(const KatagoParts *parts, Value *end, OpKind kind) {
    Value value = *end;
    if (parts_op(parts, value)->kind != kind) return -1;
    *end = parts_input(parts, value, 0);
    return value;
}

static Activation peel_activation(const KatagoParts *parts, Value *end) {
    Value value = peel(parts, end, OP_ACTIVATION);
    return value < 0 ? ACTIVATION_IDENTITY : parts_op(parts, value)->activation;
}

KatagoNorm parts_find_norm(KatagoParts *parts, Value end) {
    KatagoNorm norm = {
        .end = end, .batch_norm = -1, .rms_norm = -1, .scale = -1, .second_scale = -1, .bias = -1};
    norm.input = parts_input(parts, parts_expect(parts, end, OP_MASK), 0);
    norm.activation = peel_activation(parts, &norm.input);
    norm.batch_norm = peel(parts, &norm.input, OP_BATCH_NORM);
    if (norm.batch_norm >= 0) return norm;
    norm.bias = peel(parts, &norm.input, OP_BIAS);
    norm.rms_norm = peel(parts, &norm.input, OP_RMS_NORM);
    if (norm.rms_norm < 0) norm.scale = peel(parts, &norm.input, OP_SCALE);
    if (norm.scale >= 0) norm.second_scale = peel(parts, &norm.input, OP_SCALE);
    return norm;
}

KatagoHidden parts_find_hidden(KatagoParts *parts, Value end) {
    KatagoHidden hidden = {.end = end, .input = end};
    hidden.activation = peel_activation(parts, &hidden.input);
    hidden.bias = parts_expect(parts, hidden.input, OP_BIAS);
    hidden.matrix = parts_expect(parts, parts_input(parts, hidden.bias, 0), OP_DENSE);
    hidden.input = parts_input(parts, hidden.matrix, 0);
    return hidden;
}

KatagoPooled parts_find_pooled(KatagoParts *parts, Value end, PoolKind kind) {
    end = parts_expect(parts, end, OP_GLOBAL_POOL);
    PoolKind got = end < 0 ? kind : parts_op(parts, end)->pool;
    if (got != kind && got != POOL_MEAN && (got != POOL_MEAN_MAX || kind != POOL_MEAN_SCALE_MAX))
        parts_refuse(parts, end, "pooling of another kind than KataGo has here");
    KatagoPooled pooled = {.norm = parts_find_norm(parts, parts_input(parts, end, 0))};
    pooled.conv = parts_expect(parts, pooled.norm.input, OP_CONV);
    /* KataGo's maximum over the board is never below -1; our maximum has no such bound. The two
     * agree if an activation comes before, because its results are never below -1. A net that came
     * from KataGo is written without this check. */
    if (got != POOL_MEAN && kind == POOL_MEAN_SCALE_MAX &&
        pooled.norm.activation == ACTIVATION_IDENTITY && parts->model_format.own_policies)
        parts_refuse(parts, end,
                     "the pooling has no activation before it, so its maximum could be below "
                     "KataGo's lower bound of -1");
    return pooled;
}

void parts_put_name(KatagoParts *parts, Value op, const char *suffix) {
    char name[96];
    snprintf(name, sizeof name, "%s%s", op < 0 ? "none" : parts_op(parts, op)->name, suffix);
    katago_put_word(&parts->sink, name);
}

/* The input channels of a layer in KataGo's file, and which input channel of our layer each of them
 * is. */
typedef struct {
    int ours, count; /* numbers of input channels of our layer and of KataGo's */
    int *from;       /* [count], owned; -1: our layer does not read it. NULL: the same channels */
} Columns;

/* KataGo's pooling has three numbers for each channel. Number k is our number from[k]; -1: our
 * pooling does not have it. */
static void set_pooled(Columns *columns, int channels, const int from[3]) {
    for (int i = 0; i < columns->count; i++) {
        int number = from[i / channels];
        columns->from[i] = number < 0 ? -1 : number * channels + i % channels;
    }
}

static void set_selected(KatagoParts *parts, Value value, Columns *columns) {
    for (int i = 0; i < columns->count; i++)
        columns->from[i] = -1;
    for (int c = 0; c < columns->ours; c++) {
        int channel = c;
        trace(parts, value, &channel);
        if (columns->from[channel] >= 0)
            parts_refuse(parts, value, "a layer that reads a channel twice");
        columns->from[channel] = c;
    }
}

/* Returns the input channels of a layer that reads `value`. */
static Columns columns_of(KatagoParts *parts, Value value) {
    static const int MEAN[3] = {0, -1, -1}, MEAN_MAX[3] = {0, -1, 1};
    const Op *op = parts_op(parts, value);
    Value from = parts_selected_from(parts, value);
    bool fewer = op->kind == OP_GLOBAL_POOL && (op->pool == POOL_MEAN || op->pool == POOL_MEAN_MAX),
         selected = from != value && parts_op(parts, from)->kind == OP_INPUT;
    Columns columns = {.ours = op->channels, .count = op->channels};
    if (!fewer && !selected) return columns;
    int channels = parts_op(parts, fewer ? op->inputs[0] : from)->channels;
    columns.count = fewer ? 3 * channels : channels;
    columns.from = calloc((size_t)columns.count, sizeof *columns.from);
    if (!columns.from)
        katago_refuse(&parts->sink, ERR_MEMORY, "no memory for a layer");
    else if (fewer)
        set_pooled(&columns, channels, op->pool == POOL_MEAN ? MEAN : MEAN_MAX);
    else
        set_selected(parts, value, &columns);
    return columns;
}

/* Writes weights with `taps` places of a kernel and these input channels. `rows.in` is that of our
 * layer. Frees `columns`. */
static void put_columns(KatagoParts *parts, Columns columns, size_t taps, KatagoRows rows) {
    size_t ours = (size_t)columns.ours, count = (size_t)columns.count;
    int *elements = columns.from ? calloc(taps * count, sizeof *elements) : NULL;
    if (columns.from && !elements) katago_refuse(&parts->sink, ERR_MEMORY, "no memory for a layer");
    for (size_t i = 0; elements && i < taps * count; i++) {
        int from = columns.from[i % count];
        elements[i] = from < 0 ? -1 : (int)(i / count * ours) + from;
    }
    if (elements) {
        rows.stride = rows.in;
        rows.in = taps * count;
        rows.elements = elements;
    }
    if (parts_good(parts)) katago_put_rows(&parts->sink, rows);
    free(elements);
    free(columns.from);
}

/* Writes the name and the sizes of a convolution. */
static void put_conv_head(KatagoParts *parts, Value named, const Op *op, int in, int count) {
    parts_put_name(parts, named, "");
    katago_put_ints(&parts->sink, 6,
                    (int[]){op->kernel_h, op->kernel_w, in, count, op->dilation, op->dilation});
}

void parts_put_conv(KatagoParts *parts, Value conv, const int *rows, int count) {
    const Op *op = parts_op(parts, conv);
    if (op->kernel_h != op->kernel_w || op->kernel_h % 2 == 0)
        parts_refuse(parts, conv, "a kernel of %dx%d, where KataGo wants a square one of odd width",
                     op->kernel_h, op->kernel_w);
    if (!parts_good(parts)) return;
    size_t taps = (size_t)op->kernel_h * (size_t)op->kernel_w;
    Columns columns = columns_of(parts, op->inputs[0]);
    put_conv_head(parts, conv, op, columns.count, count);
    put_columns(parts, columns, taps,
                (KatagoRows){.values = parts_values(parts, conv, 0),
                             .in = taps * (size_t)columns.ours,
                             .rows = rows,
                             .count = count});
}

void parts_put_matrix(KatagoParts *parts, Value dense, const int *rows, int first, int count) {
    if (!parts_good(parts)) return;
    Columns columns = columns_of(parts, parts_input(parts, dense, 0));
    parts_put_name(parts, dense, "");
    katago_put_ints(&parts->sink, 2, (int[]){columns.count, count});
    put_columns(parts, columns, 1,
                (KatagoRows){.values = parts_values(parts, dense, 0),
                             .in = (size_t)columns.ours,
                             .rows = rows,
                             .first = first,
                             .count = count});
}

/* Returns the op of one convolution that can do the work of the two convolutions in `parts`. `pair`
 * is the op that adds or concatenates the two. The kernel of the returned op is large enough for
 * the taps of both. */
static Op wide_conv(const Op *pair, const Op *const parts[2]) {
    Op wide = {.kind = OP_CONV, .channels = pair->channels, .dilation = 1};
    for (int i = 0; i < 2; i++) {
        int height = (parts[i]->kernel_h - 1) * parts[i]->dilation + 1,
            width = (parts[i]->kernel_w - 1) * parts[i]->dilation + 1;
        if (height > wide.kernel_h) wide.kernel_h = height;
        if (width > wide.kernel_w) wide.kernel_w = width;
    }
    return wide;
}

/* Writes one convolution in place of two convolutions that read the same value. */
static void put_pair(KatagoParts *parts, Value pair) {
    enum { KERNEL_MAX = 19 };
    Value values[2] = {parts_input(parts, pair, 0), parts_input(parts, pair, 1)};
    const Op *convs[2] = {parts_op(parts, values[0]), parts_op(parts, values[1])};
    Op wide = wide_conv(parts_op(parts, pair), convs);
    if (wide.kernel_h != wide.kernel_w || wide.kernel_w > KERNEL_MAX)
        parts_refuse(parts, values[1], "as one convolution it would have a kernel of %dx%d",
                     wide.kernel_h, wide.kernel_w);
    if (!parts_good(parts)) return;
    Columns columns = columns_of(parts, parts_conv_input(parts, pair));
    int in = columns.ours, first = 0;
    size_t row = (size_t)(wide.kernel_h * wide.kernel_w) * (size_t)in;
    float *weights = calloc((size_t)wide.channels * row, sizeof *weights);
    if (!weights) {
        katago_refuse(&parts->sink, ERR_MEMORY, "no memory for a convolution");
        free(columns.from);
        return;
    }
    for (int i = 0; i < 2; i++) {
        op_conv_merge(convs[i], parts_values(parts, values[i], 0), in, &wide, first, weights);
        if (parts_op(parts, pair)->kind == OP_CONCAT) first += convs[i]->channels;
    }
    put_conv_head(parts, values[0], &wide, columns.count, wide.channels);
    put_columns(parts, columns, (size_t)(wide.kernel_h * wide.kernel_w),
                (KatagoRows){.values = weights, .in = row, .count = wide.channels});
    free(weights);
}

void parts_put_all(KatagoParts *parts, Value conv_or_dense) {
    const Op *op = parts_op(parts, conv_or_dense);
    if (is_pair(parts, conv_or_dense))
        put_pair(parts, conv_or_dense);
    else if (op->kind == OP_CONV)
        parts_put_conv(parts, conv_or_dense, NULL, op->channels);
    else
        parts_put_matrix(parts, conv_or_dense, NULL, 0, op->channels);
}

void parts_put_bias(KatagoParts *parts, Value bias) {
    if (!parts_good(parts)) return;
    int channels = parts_op(parts, bias)->channels;
    parts_put_name(parts, bias, "");
    katago_put_int(&parts->sink, channels);
    katago_put_floats(&parts->sink, parts_values(parts, bias, 0), channels);
}

void parts_put_activation(KatagoParts *parts, Value after, Activation activation) {
    static const char *const WORDS[] = {[ACTIVATION_IDENTITY] = "ACTIVATION_IDENTITY",
                                        [ACTIVATION_RELU] = "ACTIVATION_RELU",
                                        [ACTIVATION_MISH] = "ACTIVATION_MISH",
                                        [ACTIVATION_SILU] = "ACTIVATION_SILU",
                                        [ACTIVATION_TANH] = NULL};
    if (!WORDS[activation])
        parts_refuse(parts, after, "tanh, an activation that its nets do not have");
    else if (parts->model_format.version < 11 && activation != ACTIVATION_RELU)
        parts_refuse(parts, after,
                     "an activation other than relu, which model version %d does not have",
                     parts->model_format.version);
    if (!parts_good(parts)) return;
    parts_put_name(parts, after, ".act");
    if (parts->model_format.version >= 11) katago_put_word(&parts->sink, WORDS[activation]);
}

static bool all_are(const float *values, int count, float value) {
    for (int i = 0; i < count; i++) {
        if (memcmp(&values[i], &value, sizeof value) != 0) return false;
    }
    return true;
}

static void put_batch_norm(KatagoParts *parts, Value value) {
    enum { GAMMA, BETA, MEAN, VARIANCE };
    const Op *op = parts_op(parts, value);
    KatagoSink *sink = &parts->sink;
    int channels = op->channels;
    const float *gamma = parts_values(parts, value, GAMMA),
                *beta = parts_values(parts, value, BETA);
    bool scaled = !all_are(gamma, channels, 1), biased = !all_are(beta, channels, 0);
    if (!(op->epsilon > 0))
        parts_refuse(parts, value, "an epsilon of %g, where KataGo wants a number above 0",
                     (double)op->epsilon);
    parts_put_name(parts, value, "");
    katago_put_int(sink, channels);
    katago_put_number(sink, op->epsilon);
    katago_put_ints(sink, 2, (int[]){scaled, biased});
    katago_put_floats(sink, parts_values(parts, value, MEAN), channels);
    katago_put_floats(sink, parts_values(parts, value, VARIANCE), channels);
    if (scaled) katago_put_floats(sink, gamma, channels);
    if (biased) katago_put_floats(sink, beta, channels);
}

/* Writes gain and bias as a batch norm with mean 0, variance 1 and a negligible epsilon, as
 * KataGo's own exporter does. */
static void put_affine(KatagoParts *parts, const KatagoNorm *norm) {
    KatagoSink *sink = &parts->sink;
    int channels = parts_op(parts, norm->end)->channels;
    parts_put_name(parts, norm->bias >= 0 ? norm->bias : norm->scale, "");
    katago_put_int(sink, channels);
    katago_put_word(sink, "1e-20");
    katago_put_ints(sink, 2, (int[]){norm->scale >= 0, norm->bias >= 0});
    katago_put_filled(sink, 0, channels);
    katago_put_filled(sink, 1, channels);
    if (norm->second_scale >= 0)
        katago_put_products(sink, parts_values(parts, norm->scale, 0),
                            parts_values(parts, norm->second_scale, 0), channels);
    else if (norm->scale >= 0)
        katago_put_floats(sink, parts_values(parts, norm->scale, 0), channels);
    if (norm->bias >= 0) katago_put_floats(sink, parts_values(parts, norm->bias, 0), channels);
}

void parts_put_norm(KatagoParts *parts, const KatagoNorm *norm) {
    if (norm->rms_norm >= 0)
        parts_refuse(parts, norm->rms_norm, "an RMS norm, where KataGo wants a batch norm");
    if (!parts_good(parts)) return;
    if (norm->batch_norm >= 0)
        put_batch_norm(parts, norm->batch_norm);
    else
        put_affine(parts, norm);
    parts_put_activation(parts, norm->batch_norm >= 0 ? norm->batch_norm : norm->bias,
                         norm->activation);
}

void parts_put_hidden(KatagoParts *parts, const KatagoHidden *hidden) {
    parts_put_all(parts, hidden->matrix);
    parts_put_bias(parts, hidden->bias);
    parts_put_activation(parts, hidden->bias, hidden->activation);
}

void parts_put_kind(KatagoParts *parts, const char *kind, Value branch) {
    if (!parts_good(parts)) return;
    char name[64];
    snprintf(name, sizeof name, "%s", parts_op(parts, branch)->name);
    char *part = strrchr(name, '.');
    if (part) *part = 0;
    katago_put_word(&parts->sink, kind);
    katago_put_word(&parts->sink, name);
}
