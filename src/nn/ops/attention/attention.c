/* Attention (Vaswani et al. 2017, section 3.2.1): query i looks at the keys j of the cells on the
 * mask with the weights
 *     p_ij = softmax over j of s_ij,     s_ij = q_i . k_j / sqrt(query_channels)
 * and the output of query i, which is 0 off the mask, is
 *     y_i = sum over j of p_ij v_j
 * Forward keeps the weights p for backward:
 *     dv_j  = sum over i of p_ij dy_i
 *     dp_ij = dy_i . v_j
 *     ds_ij = p_ij (dp_ij - sum over j of p_ij dp_ij)
 *     dq_i  = sum over j of ds_ij k_j / sqrt(query_channels)
 *     dk_j  = sum over i of ds_ij q_i / sqrt(query_channels) */
#include <math.h>
#include <string.h>

#include "nn/ops/attention/attention_shape.h"
#include "nn/ops/op.h"

static size_t saved(const Op *op, int n, int cells) {
    return (size_t)n * (size_t)op->attention.heads * (size_t)cells * (size_t)cells +
           (size_t)cells; /* the last `cells` floats hold dp of one query */
}

/* One head of one sample, and where its channels are in the rows of x and y. */
typedef struct {
    const OpCall *call;
    size_t cells, channels, out_channels; /* channels of a row of x and of a row of y */
    size_t q, k, v, o; /* first channel of its query, key and value in x, and of its output in y */
    size_t query_channels, value_channels;
    const float *x, *mask; /* of the sample */
    float *p;              /* (cells, cells): the weights of each query */
    size_t x_start, y_start;
    float scale;
} Head;

static Head head_of(const OpCall *call, int sample, int head) {
    AttentionShape a = call->op->attention;
    size_t cells = (size_t)call->rows, d = (size_t)a.query_channels, e = (size_t)a.value_channels,
           kv = (size_t)(head / (a.heads / a.kv_heads)), heads = (size_t)a.heads,
           kv_heads = (size_t)a.kv_heads, at = (size_t)sample * cells;
    Head h = {.call = call,
              .cells = cells,
              .channels = (size_t)call->in_channels[0],
              .out_channels = (size_t)call->op->channels,
              .q = (size_t)head * d,
              .k = heads * d + kv * d,
              .v = (heads + kv_heads) * d + kv * e,
              .o = (size_t)head * e,
              .query_channels = d,
              .value_channels = e,
              .scale = 1 / sqrtf((float)d)};
    h.x_start = at * h.channels;
    h.y_start = at * h.out_channels;
    h.x = call->x[0] + h.x_start;
    h.mask = call->mask + at;
    h.p = call->saved + ((size_t)sample * heads + (size_t)head) * cells * cells;
    return h;
}

/* Computes the attention weights p of query i by a softmax. */
static void weigh(const Head *h, size_t i) {
    float *p = h->p + i * h->cells, max = -INFINITY;
    const float *q = h->x + i * h->channels + h->q;
    for (size_t j = 0; j < h->cells; j++) {
        p[j] = h->scale * op_dot(h->query_channels, q, h->x + j * h->channels + h->k);
        if (h->mask[j] != 0 && p[j] > max) max = p[j];
    }
    double sum = 0;
    for (size_t j = 0; j < h->cells; j++) {
        p[j] = h->mask[j] != 0 ? expf(p[j] - max) : 0;
        sum += (double)p[j];
    }
    for (size_t j = 0; j < h->cells; j++)
        p[j] = (float)((double)p[j] / sum);
}

static void forward(const OpCall *call) {
    memset(call->y, 0,
           (size_t)call->n * (size_t)call->rows * (size_t)call->op->channels * sizeof(float));
    for (int k = 0; k < call->n * call->op->attention.heads; k++) {
        Head h = head_of(call, k / call->op->attention.heads, k % call->op->attention.heads);
        for (size_t i = 0; i < h.cells; i++) {
            if (h.mask[i] == 0) continue;
            weigh(&h, i);
            float *y = call->y + h.y_start + i * h.out_channels + h.o;
            for (size_t j = 0; j < h.cells; j++)
                op_add_scaled(h.value_channels, h.p[i * h.cells + j], h.x + j * h.channels + h.v,
                              y);
        }
    }
}

static void backward_query(const Head *h, size_t i, float *ds) {
    const float *p = h->p + i * h->cells,
                *dy = h->call->dy + h->y_start + i * h->out_channels + h->o;
    float *dx = h->call->dx[0] + h->x_start;
    double sum = 0;
    for (size_t j = 0; j < h->cells; j++) {
        ds[j] = op_dot(h->value_channels, dy, h->x + j * h->channels + h->v);
        sum += (double)p[j] * (double)ds[j];
    }
    for (size_t j = 0; j < h->cells; j++) {
        if (h->mask[j] == 0) continue;
        float slope = p[j] * (ds[j] - (float)sum) * h->scale;
        size_t key = j * h->channels + h->k, query = i * h->channels + h->q;
        op_add_scaled(h->value_channels, p[j], dy, dx + j * h->channels + h->v);
        op_add_scaled(h->query_channels, slope, h->x + key, dx + query);
        op_add_scaled(h->query_channels, slope, h->x + query, dx + key);
    }
}

static void backward(const OpCall *call) {
    int heads = call->op->attention.heads;
    size_t cells = (size_t)call->rows, count = (size_t)call->n * cells;
    if (!call->dx[0]) return;
    op_begin_gradient(call, 0);
    float *ds = call->saved + count * (size_t)heads * cells;
    for (int k = 0; k < call->n * heads; k++) {
        Head h = head_of(call, k / heads, k % heads);
        for (size_t i = 0; i < cells; i++) {
            if (h.mask[i] != 0) backward_query(&h, i, ds);
        }
    }
}

static const char *shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    (void)inputs;
    (void)parameters;
    if (attention_channels(op) != op->channels) return ATTENTION_MISFIT;
    op->channels = op->attention.heads * op->attention.value_channels;
    return NULL;
}

static double multiply_adds(const Op *op, int in_channels, int rows, int cells) {
    (void)in_channels;
    (void)rows;
    return (double)cells * cells * op->attention.heads *
           (op->attention.query_channels + op->attention.value_channels);
}

static const OpField FIELDS[] = {OP_FIELD_LIST("attention", attention, 4), {0}};

const OpClass OP_CLASS_ATTENTION = {.word = "attention",
                                    .phrase = "attention",
                                    .fixed_name = "attention",
                                    .inputs = 1,
                                    .fields = FIELDS,
                                    .shape = shape,
                                    .saved = saved,
                                    .multiply_adds = multiply_adds,
                                    .forward = forward,
                                    .backward = backward};
