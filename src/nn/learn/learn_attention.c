#include "nn/learn/learn_attention.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "nn/kernels/gemm.h"
#include "nn/kernels/softmax.h"

/* In each product, the right factor and the result have a multiple of this many columns. */
enum { COLUMNS = 16 };

bool learn_attention_can(void) {
    return gemm_can(COLUMNS) && softmax_can();
}

static size_t padded(size_t count) {
    return (count + COLUMNS - 1) / COLUMNS * COLUMNS;
}

/* The sizes of one head, and its matrices in the scratch memory. A matrix with `cells` rows has a
 * row for each cell; `turned` is transposed and has a column for each cell. `left` holds queries,
 * (cells, queries), or dy, (cells, values). `right` holds queries or keys, (cells, query_columns),
 * or values or dy, (cells, value_columns). */
typedef struct {
    size_t cells, queries, values;                /* cells; channels of a query and of a value */
    size_t columns, query_columns, value_columns; /* the same, padded */
    float *scores;                                /* (cells, columns) */
    float *sums;                                  /* (cells) */
    float *turned;                                /* (queries or values, columns) */
    float *left, *right;                          /* factors of products, see above */
    float *slopes;                                /* (cells, cells) */
    float *result;                                /* (cells, query_columns or value_columns) */
} Head;

/* Lays out the matrices from `scratch` on, and returns their size in floats. */
static size_t lay_out(const Op *op, int cells, float *scratch, Head *out) {
    AttentionShape a = op->attention;
    Head h = {.cells = (size_t)cells,
              .queries = (size_t)a.query_channels,
              .values = (size_t)a.value_channels};
    h.columns = padded(h.cells);
    h.query_columns = padded(h.queries);
    h.value_columns = padded(h.values);
    size_t wide = h.query_columns > h.value_columns ? h.query_columns : h.value_columns;
    const size_t sizes[] = {h.cells * h.columns, h.columns,      wide * h.columns,
                            h.cells * wide,      h.cells * wide, padded(h.cells * h.cells),
                            h.cells * wide};
    float **const matrices[] = {&h.scores, &h.sums,   &h.turned, &h.left,
                                &h.right,  &h.slopes, &h.result};
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *matrices[i] = scratch ? scratch + total : NULL;
        total += sizes[i];
    }
    *out = h;
    return total;
}

size_t learn_attention_scratch(const Op *op, int cells) {
    Head head;
    return lay_out(op, cells, NULL, &head);
}

/* Multiplies `count` channels of all cells by a factor and writes them to the first columns of a
 * matrix. The other columns become 0. */
OP_LOOP static void pack(size_t cells, size_t count, size_t columns, size_t stride, float factor,
                         const float *restrict x, float *restrict to) {
    for (size_t i = 0; i < cells; i++) {
        for (size_t c = 0; c < count; c++)
            to[i * columns + c] = factor * x[i * stride + c];
        for (size_t c = count; c < columns; c++)
            to[i * columns + c] = 0;
    }
}

/* Copies `count` channels of all cells into a transposed matrix, in which they are rows. The
 * columns that stand for no cell become 0. */
static void pack_turned(const Head *h, size_t count, size_t stride, const float *x, float *to) {
    for (size_t c = 0; c < count; c++) {
        for (size_t i = 0; i < h->cells; i++)
            to[c * h->columns + i] = x[i * stride + c];
        for (size_t i = h->cells; i < h->columns; i++)
            to[c * h->columns + i] = 0;
    }
}

/* Adds the first `count` columns of a result to as many channels of all cells. */
OP_LOOP static void unpack(size_t cells, size_t count, size_t columns, size_t stride,
                           const float *restrict from, float *restrict y) {
    for (size_t i = 0; i < cells; i++) {
        for (size_t c = 0; c < count; c++)
            y[i * stride + c] += from[i * columns + c];
    }
}

/* Writes the softmax of each row of the scores to p (cells, cells). Rows and columns of cells off
 * the mask are 0. */
static void weigh(const Head *h, const float *mask, float *p) {
    for (size_t i = 0; i < h->cells; i++) {
        for (size_t j = 0; j < h->cells; j++) {
            if (mask[j] == 0) h->scores[i * h->columns + j] = -FLT_MAX / 2;
        }
    }
    softmax_exp((int)h->cells, (int)h->cells, (int)h->columns, h->scores, h->sums);
    for (size_t i = 0; i < h->cells; i++) {
        float factor = mask[i] != 0 ? 1 / h->sums[i] : 0;
        for (size_t j = 0; j < h->cells; j++)
            p[i * h->cells + j] = mask[j] != 0 ? factor * h->scores[i * h->columns + j] : 0;
    }
}

/* The places of one head: of its channels in a row of x and of y, and of its attention weights in
 * OpCall.saved (`p`). */
typedef struct {
    size_t stride, out_stride, query, key, value, out;
    size_t x_at, y_at; /* indices of the first elements of the sample in x and y */
    float *p;
    const float *mask;
} Place;

static Place place_of(const OpCall *call, int sample, int head) {
    AttentionShape a = call->op->attention;
    size_t cells = (size_t)call->rows, heads = (size_t)a.heads, kv_heads = (size_t)a.kv_heads,
           d = (size_t)a.query_channels, e = (size_t)a.value_channels,
           kv = (size_t)head / (heads / kv_heads), first = (size_t)sample * cells;
    Place place = {.stride = (size_t)call->in_channels[0],
                   .out_stride = (size_t)call->op->channels,
                   .query = (size_t)head * d,
                   .key = heads * d + kv * d,
                   .value = (heads + kv_heads) * d + kv * e,
                   .out = (size_t)head * e,
                   .p = call->saved + ((size_t)sample * heads + (size_t)head) * cells * cells,
                   .mask = call->mask + first};
    place.x_at = first * place.stride;
    place.y_at = first * place.out_stride;
    return place;
}

static void head_forward(const OpCall *call, const Head *h, const Place *at) {
    const float *x = call->x[0] + at->x_at;
    int cells = (int)h->cells;
    pack(h->cells, h->queries, h->queries, at->stride, 1 / sqrtf((float)h->queries), x + at->query,
         h->left);
    pack_turned(h, h->queries, at->stride, x + at->key, h->turned);
    gemm(cells, (int)h->queries, (int)h->columns, h->left, h->turned, h->scores);
    weigh(h, at->mask, at->p);
    pack(h->cells, h->values, h->value_columns, at->stride, 1, x + at->value, h->right);
    gemm(cells, cells, (int)h->value_columns, at->p, h->right, h->result);
    unpack(h->cells, h->values, h->value_columns, at->out_stride, h->result,
           call->y + at->y_at + at->out);
}

void learn_attention_forward(const OpCall *call, float *scratch) {
    Head head;
    int heads = call->op->attention.heads;
    lay_out(call->op, call->rows, scratch, &head);
    memset(call->y, 0,
           (size_t)call->n * (size_t)call->rows * (size_t)call->op->channels * sizeof(float));
    for (int k = 0; k < call->n * heads; k++) {
        const Place place = place_of(call, k / heads, k % heads);
        head_forward(call, &head, &place);
    }
}

/* Computes the gradients ds of the products of queries and keys (before these are multiplied by
 * `scale`) from the attention weights p and their gradients dp:
 *     ds_ij = scale p_ij (dp_ij - sum over k of p_ik dp_ik) */
OP_LOOP static void find_slopes(size_t cells, size_t columns, float scale, const float *restrict p,
                                const float *restrict dp, float *restrict ds) {
    enum { LANES = 16 };
    for (size_t i = 0; i < cells; i++) {
        float sums[LANES] = {0}, sum = 0;
        size_t j = 0;
        for (; j + LANES <= cells; j += LANES) {
            for (size_t lane = 0; lane < LANES; lane++)
                sums[lane] += p[i * cells + j + lane] * dp[i * columns + j + lane];
        }
        for (; j < cells; j++)
            sum += p[i * cells + j] * dp[i * columns + j];
        for (size_t lane = 0; lane < LANES; lane++)
            sum += sums[lane];
        for (j = 0; j < cells; j++)
            ds[i * cells + j] = scale * p[i * cells + j] * (dp[i * columns + j] - sum);
    }
}

/* Adds the first `count` columns of a' b to channels of all cells, where a is (cells, cells), a' is
 * its transpose, and b is (cells, columns). */
static void add_transposed_product(const Head *h, size_t count, size_t columns, size_t stride,
                                   const float *a, const float *b, float *y) {
    const GemmBatchShape shape = {
        .matrices = 1, .rows = (int)h->cells, .depth = (int)h->cells, .columns = (int)columns};
    memset(h->result, 0, h->cells * columns * sizeof *h->result);
    gemm_batch_add_transposed(&shape, a, b, h->result);
    unpack(h->cells, count, columns, stride, h->result, y);
}

static void head_backward(const OpCall *call, const Head *h, const Place *at) {
    const float *x = call->x[0] + at->x_at, *dy = call->dy + at->y_at + at->out;
    float *dx = call->dx[0] + at->x_at;
    int cells = (int)h->cells;
    pack(h->cells, h->values, h->value_columns, at->out_stride, 1, dy, h->right);
    add_transposed_product(h, h->values, h->value_columns, at->stride, at->p, h->right,
                           dx + at->value);
    pack(h->cells, h->values, h->values, at->out_stride, 1, dy, h->left);
    pack_turned(h, h->values, at->stride, x + at->value, h->turned);
    gemm(cells, (int)h->values, (int)h->columns, h->left, h->turned, h->scores);
    find_slopes(h->cells, h->columns, 1 / sqrtf((float)h->queries), at->p, h->scores, h->slopes);
    pack(h->cells, h->queries, h->query_columns, at->stride, 1, x + at->key, h->right);
    gemm(cells, cells, (int)h->query_columns, h->slopes, h->right, h->result);
    unpack(h->cells, h->queries, h->query_columns, at->stride, h->result, dx + at->query);
    pack(h->cells, h->queries, h->query_columns, at->stride, 1, x + at->query, h->right);
    add_transposed_product(h, h->queries, h->query_columns, at->stride, h->slopes, h->right,
                           dx + at->key);
}

void learn_attention_backward(const OpCall *call, float *scratch) {
    Head head;
    int heads = call->op->attention.heads;
    if (!call->dx[0]) return;
    lay_out(call->op, call->rows, scratch, &head);
    op_begin_gradient(call, 0);
    for (int k = 0; k < call->n * heads; k++) {
        const Place place = place_of(call, k / heads, k % heads);
        head_backward(call, &head, &place);
    }
}
