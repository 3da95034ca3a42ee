/* How a head runs, in both directions: pack() and pack_turned() copy its channels into matrices,
 * whose rows are padded for the products (learn_product.h); the products follow; unpack() adds the
 * results to the channels of y or dx. The op attention keeps P from forward to backward. The op
 * attention_maps computes P again, as its definition does. */
#include "nn/learn/learn_attention.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "nn/kernels/softmax.h"
#include "nn/kernels/transformer/attention_amx.h"
#include "nn/learn/learn_product.h"
#include "nn/ops/attention/attention_map.h"
#include "nn/ops/op_table.h"

bool learn_attention_can(const Op *op) {
    bool known = op->kind == OP_ATTENTION || (op->kind == OP_ATTENTION_MAPS && op->tables == 0);
    return known && product_can() && softmax_can();
}

bool learn_attention_can_bf16(void) {
    return product_can_bf16();
}

/* Whether attention_amx.h runs the op. */
static bool runs_with_amx(const Op *op, bool bf16) {
    return bf16 && op->kind == OP_ATTENTION && attention_amx_can();
}

static size_t padded(size_t count) {
    return (count + PRODUCT_COLUMNS - 1) / PRODUCT_COLUMNS * PRODUCT_COLUMNS;
}

/* The sizes of one head, and its matrices in the scratch memory. A matrix with `cells` rows has a
 * row for each cell; `turned` is transposed and has a column for each cell. `left` and `right` hold
 * queries, keys, values, dy or vectors of a map; `wide` is the largest number of their padded
 * channels. Factors of products have room for one more row (ProductShape). */
typedef struct {
    bool bf16;
    /* the cells; the channels of a query, of a value and of a vector of a map */
    size_t cells, queries, values, rank;
    size_t columns, query_columns, value_columns, rank_columns; /* the same, padded */
    float scale;                                                /* of the products Q K' */
    float *scores;                                              /* (cells, columns) */
    float *sums;                                                /* (cells) */
    float *turned;                                              /* (wide + 1, columns) */
    float *left, *right;                                        /* (cells + 1, wide) */
    float *slopes;        /* (cells, cells): dS, or W of attention_maps */
    float *factor;        /* (cells + 1, columns): a copy of a matrix that a product rounds */
    float *result;        /* (columns, wide) */
    float *terms, *gains; /* (cells, columns): B or dM, and M */
} Head;

/* Lays out the matrices from `scratch` on, and returns their size in floats. */
static size_t lay_out(const Op *op, int cells, float *scratch, Head *out) {
    AttentionShape a = op->attention;
    Head h = {.cells = (size_t)cells,
              .queries = (size_t)a.query_channels,
              .values = (size_t)a.value_channels,
              .rank = (size_t)op->map.rank,
              .scale = 1 / sqrtf((float)a.query_channels)};
    h.columns = padded(h.cells);
    h.query_columns = padded(h.queries);
    h.value_columns = padded(h.values);
    h.rank_columns = padded(h.rank);
    size_t wide = h.query_columns > h.value_columns ? h.query_columns : h.value_columns,
           maps = op->kind == OP_ATTENTION_MAPS ? h.cells * h.columns : 0;
    if (h.rank_columns > wide) wide = h.rank_columns;
    const size_t sizes[] = {h.cells * h.columns,
                            h.columns,
                            (wide + 1) * h.columns,
                            (h.cells + 1) * wide,
                            (h.cells + 1) * wide,
                            padded(h.cells * h.cells),
                            (h.cells + 1) * h.columns,
                            h.columns * wide,
                            maps,
                            maps};
    float **const matrices[] = {&h.scores, &h.sums,   &h.turned, &h.left,  &h.right,
                                &h.slopes, &h.factor, &h.result, &h.terms, &h.gains};
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        *matrices[i] = scratch ? scratch + total : NULL;
        total += padded(sizes[i]);
    }
    *out = h;
    return total;
}

size_t learn_attention_scratch(const Op *op, int cells) {
    Head head;
    AttentionShape a = op->attention;
    size_t size = lay_out(op, cells, NULL, &head),
           amx = attention_amx_scratch((size_t)cells, (size_t)a.query_channels,
                                       (size_t)a.value_channels);
    return amx > size ? amx : size;
}

size_t learn_attention_saved(const Op *op, int n, int cells, bool bf16) {
    return runs_with_amx(op, bf16) ? (size_t)n * (size_t)op->attention.heads * (size_t)cells
                                   : op_class(op->kind)->saved(op, n, cells);
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

/* Computes scores = left turned, where both have `channels` channels. Rows of `left` have
 * `columns` columns. */
static void find_scores(const Head *h, size_t channels, size_t columns, float *scores) {
    const ProductShape shape = {h->cells, channels, columns, h->columns, h->bf16};
    product(&shape, h->left, h->turned, scores);
}

/* A matrix with a number for each pair of cells, as the left factor of a product. */
typedef struct {
    float *values;
    size_t stride;
} Pairs;

/* Returns `pairs` (cells, cells) or, if the product would round it, a padded copy. */
static Pairs factor_of(const Head *h, float *pairs) {
    if (!h->bf16) return (Pairs){pairs, h->cells};
    pack(h->cells, h->cells, h->columns, h->cells, 1, pairs, h->factor);
    return (Pairs){h->factor, h->columns};
}

/* Adds the first `count` columns of `pairs` (cells, cells) times `right` (cells, columns) to
 * channels of all cells. */
static void add_product(const Head *h, float *pairs, size_t count, size_t columns, size_t stride,
                        float *y) {
    const Pairs a = factor_of(h, pairs);
    const ProductShape shape = {h->cells, h->cells, a.stride, columns, h->bf16};
    product(&shape, a.values, h->right, h->result);
    unpack(h->cells, count, columns, stride, h->result, y);
}

/* Does the same with the transpose of `pairs`. */
static void add_transposed_product(const Head *h, float *pairs, size_t count, size_t columns,
                                   size_t stride, float *y) {
    const Pairs a = factor_of(h, pairs);
    const ProductShape shape = {
        .rows = a.stride, .depth = h->cells, .columns = columns, .bf16 = h->bf16};
    product_transposed(&shape, a.values, h->right, h->result);
    unpack(h->cells, count, columns, stride, h->result, y);
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

/* One attention head of one sample: the places of its channels in the rows of x and y, its
 * attention weights (`p`), and its maps. */
typedef struct {
    size_t stride, out_stride, query, key, value, out;
    size_t x_at, y_at; /* indices of the first elements of the sample in x and y */
    float *p;
    const float *mask;
    const AttentionPlaces *places;
    /* the rows of the second input that hold B and M, and their gradients; NULL if there are
     * none */
    const float *map, *gain_map;
    float *map_gradient, *gain_gradient;
} Place;

static void find_maps(const OpCall *call, size_t sample, size_t head, Place *place) {
    size_t width = (size_t)call->in_channels[1], heads = (size_t)call->op->attention.heads,
           rows = (size_t)call->op->map.rows, at = (sample * rows + head) * width;
    place->map = call->x[1] + at;
    place->map_gradient = call->dx[1] ? call->dx[1] + at : NULL;
    if (rows == heads) return;
    place->gain_map = place->map + heads * width;
    place->gain_gradient = place->map_gradient ? place->map_gradient + heads * width : NULL;
}

/* `places`: those of the sample; NULL for attention without maps. */
static Place place_of(const OpCall *call, int sample, int head, const AttentionPlaces *places) {
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
                   .p = call->saved,
                   .mask = call->mask + first,
                   .places = places};
    place.x_at = first * place.stride;
    place.y_at = first * place.out_stride;
    if (places)
        find_maps(call, (size_t)sample, (size_t)head, &place);
    else
        place.p += ((size_t)sample * heads + (size_t)head) * cells * cells;
    return place;
}

/* Packs the vectors u (second = 0) or v (second = 1) of a map for all cells. Cells without a
 * vector get zeros. */
static void pack_vectors(const Head *h, const Place *at, const float *map, size_t second,
                         float *to) {
    size_t points = (size_t)at->places->shape.side * (size_t)at->places->shape.side;
    memset(to, 0, h->cells * h->rank_columns * sizeof *to);
    for (size_t i = 0; i < h->cells; i++) {
        int point = attention_point(at->places, i);
        if (point >= 0)
            memcpy(to + i * h->rank_columns, map + (second * points + (size_t)point) * h->rank,
                   h->rank * sizeof *to);
    }
}

/* Writes the numbers of a map to `pairs` (cells, columns). */
static void read_map(const Head *h, const Place *at, const float *map, float *pairs) {
    if (at->places->shape.kind != MAP_RANKS) {
        attention_map_read(at->places, map, h->columns, pairs);
        return;
    }
    pack_vectors(h, at, map, 1, h->right);
    pack_turned(h, h->rank, h->rank_columns, h->right, h->turned);
    pack_vectors(h, at, map, 0, h->left);
    find_scores(h, h->rank, h->rank_columns, pairs);
}

/* Adds `result` to the gradient of the vectors u or v of a map. */
static void add_vectors(const Head *h, const Place *at, size_t second, float *gradient) {
    size_t points = (size_t)at->places->shape.side * (size_t)at->places->shape.side;
    for (size_t i = 0; i < h->cells; i++) {
        int point = attention_point(at->places, i);
        if (point >= 0)
            op_add_scaled(h->rank, 1, h->result + i * h->rank_columns,
                          gradient + (second * points + (size_t)point) * h->rank);
    }
}

/* Adds the gradients of the numbers of a map, `pairs` (cells, cells), to the gradient of the
 * map. */
static void add_to_map(const Head *h, const Place *at, const float *map, float *pairs,
                       float *gradient) {
    if (at->places->shape.kind != MAP_RANKS) {
        attention_map_add(at->places, map, h->cells, pairs, gradient);
        return;
    }
    for (size_t second = 0; second < 2; second++) {
        const Pairs a = factor_of(h, pairs);
        ProductShape shape = {h->cells, h->cells, a.stride, h->rank_columns, h->bf16};
        pack_vectors(h, at, map, 1 - second, h->right);
        if (second) shape.rows = a.stride;
        (second ? product_transposed : product)(&shape, a.values, h->right, h->result);
        add_vectors(h, at, second, gradient);
    }
}

/* Computes P, and reads M if there is this map. */
static void find_weights(const OpCall *call, const Head *h, const Place *at) {
    const float *x = call->x[0] + at->x_at;
    if (at->map) read_map(h, at, at->map, h->terms);
    if (at->gain_map) read_map(h, at, at->gain_map, h->gains);
    pack(h->cells, h->queries, h->query_columns, at->stride, h->scale, x + at->query, h->left);
    pack_turned(h, h->queries, at->stride, x + at->key, h->turned);
    find_scores(h, h->queries, h->query_columns, h->scores);
    if (at->map) op_add_scaled(h->cells * h->columns, 1, h->terms, h->scores);
    weigh(h, at->mask, at->p);
}

/* Returns W (cells, cells). */
static float *find_factors(const Head *h, const Place *at) {
    if (!at->gain_map) return at->p;
    for (size_t i = 0; i < h->cells; i++) {
        for (size_t j = 0; j < h->cells; j++)
            h->slopes[i * h->cells + j] =
                at->p[i * h->cells + j] * (1 + h->gains[i * h->columns + j]);
    }
    return h->slopes;
}

/* Finds the places of the cells of a sample, and keeps them in OpCall.saved, after P. */
static AttentionPlaces places_of(const OpCall *call, int sample) {
    size_t cells = (size_t)call->rows;
    float *rows = call->saved + cells * cells;
    return attention_places(attention_map_shape(call->op), call->height, call->width,
                            call->mask + (size_t)sample * cells, rows, rows + cells);
}

static void head_forward(const OpCall *call, const Head *h, const Place *at) {
    const float *x = call->x[0] + at->x_at;
    find_weights(call, h, at);
    pack(h->cells, h->values, h->value_columns, at->stride, 1, x + at->value, h->right);
    add_product(h, find_factors(h, at), h->values, h->value_columns, at->out_stride,
                call->y + at->y_at + at->out);
}

/* Computes the gradients ds of the scores, times `scale`, from the attention weights p and their
 * gradients dp:
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

/* Turns dW, which is in `scores`, into dP, and adds to the gradient of the map M. */
static void pass_gains(const Head *h, const Place *at) {
    for (size_t i = 0; i < h->cells; i++) {
        for (size_t j = 0; j < h->cells; j++) {
            float *slope = &h->scores[i * h->columns + j];
            h->slopes[i * h->cells + j] = *slope * at->p[i * h->cells + j];
            *slope *= 1 + h->gains[i * h->columns + j];
        }
    }
    if (at->gain_gradient) add_to_map(h, at, at->gain_map, h->slopes, at->gain_gradient);
}

static void head_backward(const OpCall *call, const Head *h, const Place *at) {
    const float *x = call->x[0] + at->x_at, *dy = call->dy + at->y_at + at->out;
    float *dx = call->dx[0] ? call->dx[0] + at->x_at : NULL;
    if (at->map) find_weights(call, h, at);
    if (dx) {
        pack(h->cells, h->values, h->value_columns, at->out_stride, 1, dy, h->right);
        add_transposed_product(h, find_factors(h, at), h->values, h->value_columns, at->stride,
                               dx + at->value);
    }
    pack(h->cells, h->values, h->value_columns, at->out_stride, 1, dy, h->left);
    pack_turned(h, h->values, at->stride, x + at->value, h->turned);
    find_scores(h, h->values, h->value_columns, h->scores);
    if (at->gain_map) pass_gains(h, at);
    find_slopes(h->cells, h->columns, at->map ? 1 : h->scale, at->p, h->scores, h->slopes);
    if (at->map_gradient) add_to_map(h, at, at->map, h->slopes, at->map_gradient);
    if (!dx) return;
    float scale = at->map ? h->scale : 1; /* otherwise find_slopes() has scaled the slopes */
    pack(h->cells, h->queries, h->query_columns, at->stride, scale, x + at->key, h->right);
    add_product(h, h->slopes, h->queries, h->query_columns, at->stride, dx + at->query);
    pack(h->cells, h->queries, h->query_columns, at->stride, scale, x + at->query, h->right);
    add_transposed_product(h, h->slopes, h->queries, h->query_columns, at->stride, dx + at->key);
}

typedef void HeadFunction(const OpCall *call, const Head *h, const Place *at);

static void for_each_head(const OpCall *call, bool bf16, float *scratch, HeadFunction *function) {
    bool maps = call->op->kind == OP_ATTENTION_MAPS;
    int heads = call->op->attention.heads;
    AttentionPlaces places;
    Head head;
    lay_out(call->op, call->rows, scratch, &head);
    head.bf16 = bf16;
    for (int k = 0; k < call->n * heads; k++) {
        if (maps && k % heads == 0) places = places_of(call, k / heads);
        const Place place = place_of(call, k / heads, k % heads, maps ? &places : NULL);
        function(call, &head, &place);
    }
}

/* If the processor has AMX, OpCall.saved holds the logarithms of the sums of the softmax, which are
 * (n, heads, cells). */
static AttentionAmx amx_head(const OpCall *call, int sample, int head) {
    Place at = place_of(call, sample, head, NULL);
    size_t cells = (size_t)call->rows, heads = (size_t)call->op->attention.heads;
    const float *x = call->x[0] + at.x_at;
    float *dx = call->dx[0] ? call->dx[0] + at.x_at : NULL;
    return (AttentionAmx){.cells = cells,
                          .query_channels = (size_t)call->op->attention.query_channels,
                          .value_channels = (size_t)call->op->attention.value_channels,
                          .stride = at.stride,
                          .y_stride = at.out_stride,
                          .query = x + at.query,
                          .key = x + at.key,
                          .value = x + at.value,
                          .mask = at.mask,
                          .y = call->y + at.y_at + at.out,
                          .log_sums = call->saved + ((size_t)sample * heads + (size_t)head) * cells,
                          .dy = call->dy + at.y_at + at.out,
                          .dquery = dx ? dx + at.query : NULL,
                          .dkey = dx ? dx + at.key : NULL,
                          .dvalue = dx ? dx + at.value : NULL};
}

static void run_amx(const OpCall *call, bool backward, float *scratch) {
    int heads = call->op->attention.heads;
    for (int k = 0; k < call->n * heads; k++) {
        const AttentionAmx head = amx_head(call, k / heads, k % heads);
        (backward ? attention_amx_backward : attention_amx_forward)(&head, scratch);
    }
}

void learn_attention_forward(const OpCall *call, bool bf16, float *scratch) {
    if (runs_with_amx(call->op, bf16)) {
        run_amx(call, false, scratch);
        return;
    }
    memset(call->y, 0,
           (size_t)call->n * (size_t)call->rows * (size_t)call->op->channels * sizeof(float));
    for_each_head(call, bf16, scratch, head_forward);
}

void learn_attention_backward(const OpCall *call, bool bf16, float *scratch) {
    if (!call->dx[0] && !call->dx[1]) return;
    op_begin_gradient(call, 0);
    if (runs_with_amx(call->op, bf16)) {
        run_amx(call, true, scratch);
        return;
    }
    if (call->dx[1] && call->first[1])
        memset(call->dx[1], 0,
               (size_t)call->n * (size_t)call->op->map.rows * (size_t)call->in_channels[1] *
                   sizeof(float));
    for_each_head(call, bf16, scratch, head_backward);
}
