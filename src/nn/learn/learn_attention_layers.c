#include "nn/learn/learn_attention_layers.h"

#include <string.h>

#include "nn/kernels/transformer/amx_gemm.h"
#include "nn/kernels/transformer/attention_amx.h"
#include "nn/kernels/transformer/rotary_avx512.h"
#include "nn/ops/attention/attention_shape.h"

enum { ROWS = 256 /* in a group of samples, about */ };

/* The sizes of a group of samples, and its parts of the scratch memory. */
typedef struct {
    size_t cells, samples; /* in a sample, in a group */
    size_t channels;       /* of queries, keys and values together */
    size_t values;         /* channels of the output of attention */
    float *qkv, *dqkv;     /* (samples, cells, channels) */
    float *dvalues;        /* (samples, cells, values) */
    float *columns, *rows; /* sums of RotarySums: (kv_heads, query_channels) */
    float *kernels;        /* scratch of the kernels */
} Group;

static size_t lay_out(const LearnAttentionLayers *layers, float *scratch, Group *out) {
    const Op *op = layers->attention_call->op;
    AttentionShape a = op->attention;
    Group g = {.cells = (size_t)layers->attention_call->rows,
               .channels = (size_t)layers->qkv_call->op->channels,
               .values = (size_t)op->channels};
    g.samples = amx_larger(ROWS / g.cells, 1);
    size_t rows = g.samples * g.cells, sums = (size_t)(a.kv_heads * a.query_channels);
    const size_t sizes[] = {
        rows * g.channels,
        rows * g.channels,
        rows * g.values,
        sums,
        sums,
        amx_larger(
            amx_larger(dense_amx_scratch(layers->qkv), dense_amx_scratch(layers->out)),
            attention_amx_scratch(g.cells, (size_t)a.query_channels, (size_t)a.value_channels))};
    float **const parts[] = {&g.qkv, &g.dqkv, &g.dvalues, &g.columns, &g.rows, &g.kernels};
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *parts[i] = scratch ? scratch + total : NULL;
        total += (sizes[i] + 15) / 16 * 16;
    }
    *out = g;
    return total;
}

size_t learn_attention_layers_scratch(const LearnAttentionLayers *layers) {
    Group group;
    return lay_out(layers, NULL, &group);
}

static const float *weights_of(const OpCall *call, bool kept) {
    return kept ? NULL : call->parameters[0];
}

/* Heads of queries and of keys are numbered one after the other. Returns the head of keys that one
 * of them belongs to. */
static size_t kv_head_of(AttentionShape a, int head) {
    return (size_t)(head < a.heads ? head / (a.heads / a.kv_heads) : head - a.heads);
}

/* The cosines and sines of one head in one cell. */
static const float *turns_of(const OpCall *rotary, size_t cell, int head) {
    AttentionShape a = rotary->op->attention;
    size_t d = (size_t)a.query_channels;
    return rotary->saved + (cell * (size_t)a.kv_heads + kv_head_of(a, head)) * d;
}

/* Computes queries, keys and values for `samples` samples, from sample `first` on. */
static void find_qkv(const LearnAttentionLayers *layers, const Group *g, size_t first,
                     size_t samples, bool kept) {
    const OpCall *qkv = layers->qkv_call, *rotary = layers->rotary_call;
    size_t rows = samples * g->cells, at = first * g->cells * (size_t)qkv->in_channels[0];
    dense_amx_forward(layers->qkv, rows, qkv->x[0] + at, weights_of(qkv, kept), g->qkv, g->kernels);
    for (size_t r = 0; rotary && r < rows; r++) {
        AttentionShape a = rotary->op->attention;
        size_t d = (size_t)a.query_channels;
        for (int head = 0; head < a.heads + a.kv_heads; head++)
            rotary_rotate(d, turns_of(rotary, r % g->cells, head),
                          g->qkv + r * g->channels + (size_t)head * d);
    }
}

/* Returns a head of sample `first + k`, which is number k of a group. */
static AttentionAmx head_of(const LearnAttentionLayers *layers, const Group *g, size_t first,
                            size_t k, int head) {
    const OpCall *call = layers->attention_call;
    AttentionShape a = call->op->attention;
    size_t d = (size_t)a.query_channels, e = (size_t)a.value_channels, heads = (size_t)a.heads,
           kv = kv_head_of(a, head), kv_heads = (size_t)a.kv_heads, sample = first + k,
           query = k * g->cells * g->channels + (size_t)head * d,
           key = k * g->cells * g->channels + (heads + kv) * d,
           value = k * g->cells * g->channels + (heads + kv_heads) * d + kv * e;
    return (AttentionAmx){.cells = g->cells,
                          .query_channels = d,
                          .value_channels = e,
                          .stride = g->channels,
                          .y_stride = g->values,
                          .query = g->qkv + query,
                          .key = g->qkv + key,
                          .value = g->qkv + value,
                          .mask = call->mask + sample * g->cells,
                          .y = call->y + sample * g->cells * g->values + (size_t)head * e,
                          .log_sums = call->saved + (sample * heads + (size_t)head) * g->cells,
                          .dy = g->dvalues + k * g->cells * g->values + (size_t)head * e,
                          .dquery = g->dqkv + query,
                          .dkey = g->dqkv + key,
                          .dvalue = g->dqkv + value};
}

void learn_attention_layers_forward(const LearnAttentionLayers *layers, bool kept, float *scratch) {
    Group g;
    const OpCall *attention = layers->attention_call, *out = layers->out_call;
    lay_out(layers, scratch, &g);
    if (layers->rotary_call && !kept) rotary_find_turns(layers->rotary_call);
    size_t total = (size_t)attention->n;
    for (size_t first = 0; first < total; first += g.samples) {
        size_t samples = total - first < g.samples ? total - first : g.samples,
               row = first * g.cells;
        find_qkv(layers, &g, first, samples, kept);
        for (size_t k = 0; k < samples; k++) {
            for (int head = 0; head < attention->op->attention.heads; head++) {
                const AttentionAmx one = head_of(layers, &g, first, k, head);
                attention_amx_forward(&one, g.kernels);
            }
        }
        dense_amx_forward(layers->out, samples * g.cells, attention->y + row * g.values,
                          weights_of(out, kept), out->y + row * (size_t)out->op->channels,
                          g.kernels);
        kept = true;
    }
}

/* Turns the gradients of rotated queries and keys into those before the rotation, for some rows. */
static void rotate_back(const LearnAttentionLayers *layers, const Group *g, size_t rows) {
    const OpCall *rotary = layers->rotary_call;
    AttentionShape a = rotary->op->attention;
    size_t d = (size_t)a.query_channels, width = (size_t)rotary->width;
    for (size_t r = 0; r < rows; r++) {
        size_t cell = r % g->cells;
        RotarySums sums = {.column = (float)(cell % width), .row = (float)(cell / width)};
        for (int head = 0; head < a.heads + a.kv_heads; head++) {
            size_t at = r * g->channels + (size_t)head * d;
            sums.columns = g->columns + kv_head_of(a, head) * d;
            sums.rows = g->rows + kv_head_of(a, head) * d;
            rotary_rotate_back(d, turns_of(rotary, cell, head), g->qkv + at,
                               rotary->gradients[0] ? &sums : NULL, g->dqkv + at);
        }
    }
}

static void add_frequencies(const LearnAttentionLayers *layers, const Group *g) {
    const OpCall *rotary = layers->rotary_call;
    AttentionShape a = rotary->op->attention;
    float *gradient = rotary->gradients[0];
    for (size_t i = 0; gradient && i < (size_t)(a.kv_heads * a.query_channels); i += 2) {
        gradient[i] += g->columns[i + 1] - g->columns[i];
        gradient[i + 1] += g->rows[i + 1] - g->rows[i];
    }
}

static void group_backward(const LearnAttentionLayers *layers, const Group *g, size_t first,
                           size_t samples, bool kept) {
    const OpCall *qkv = layers->qkv_call, *attention = layers->attention_call,
                 *out = layers->out_call;
    size_t rows = samples * g->cells, row = first * g->cells,
           in_row = row * (size_t)qkv->in_channels[0];
    find_qkv(layers, g, first, samples, true); /* forward had the same weights */
    dense_amx_backward(
        layers->out,
        &(DenseAmxBackward){.rows = rows,
                            .x = out->gradients[0] ? attention->y + row * g->values : NULL,
                            .dy = out->dy + row * (size_t)out->op->channels,
                            .weights = weights_of(out, kept),
                            .dx = g->dvalues,
                            .scratch = g->kernels});
    memset(g->dqkv, 0, rows * g->channels * sizeof *g->dqkv);
    for (size_t k = 0; k < samples; k++) {
        for (int head = 0; head < attention->op->attention.heads; head++) {
            const AttentionAmx one = head_of(layers, g, first, k, head);
            attention_amx_backward(&one, g->kernels);
        }
    }
    if (layers->rotary_call) rotate_back(layers, g, rows);
    dense_amx_backward(layers->qkv,
                       &(DenseAmxBackward){.rows = rows,
                                           .x = qkv->gradients[0] ? qkv->x[0] + in_row : NULL,
                                           .dy = g->dqkv,
                                           .weights = weights_of(qkv, kept),
                                           .dx = qkv->dx[0] ? qkv->dx[0] + in_row : NULL,
                                           .add = !qkv->first[0],
                                           .scratch = g->kernels});
}

void learn_attention_layers_backward(const LearnAttentionLayers *layers, bool kept,
                                     float *scratch) {
    Group g;
    const OpCall *qkv = layers->qkv_call, *out = layers->out_call;
    AttentionShape a = layers->attention_call->op->attention;
    lay_out(layers, scratch, &g);
    memset(g.columns, 0, (size_t)(a.kv_heads * a.query_channels) * sizeof *g.columns);
    memset(g.rows, 0, (size_t)(a.kv_heads * a.query_channels) * sizeof *g.rows);
    size_t total = (size_t)layers->attention_call->n;
    for (size_t first = 0; first < total; first += g.samples) {
        group_backward(layers, &g, first, total - first < g.samples ? total - first : g.samples,
                       kept);
        kept = true;
    }
    if (layers->rotary_call) add_frequencies(layers, &g);
    if (qkv->gradients[0]) dense_amx_add_gradient(layers->qkv, qkv->gradients[0]);
    if (out->gradients[0]) dense_amx_add_gradient(layers->out, out->gradients[0]);
}
