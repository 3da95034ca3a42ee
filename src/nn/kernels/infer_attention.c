/* How attention runs, sample by sample:
 *   1. gather_cells(): list the cells on the mask.
 *   2. gather_keys(), gather_values(): for each head of keys, rotate the keys and store them as
 *      columns, and store the values as rows. Both are padded to whole registers, and for bf16 they
 *      are stored as pairs.
 *      With `int8`, round_keys() and round_values() round both to integers (int8_gemm.h).
 *      round_keys() first subtracts the mean of all keys from each key. This makes the keys
 *      smaller, and it changes all products of a query by the same number, which the softmax
 *      cancels (Zhang et al. 2025, "SageAttention").
 *   3. gather_queries(): for each head of queries, rotate and scale the queries.
 *   4. attend(): for some queries at a time, multiply queries and keys, take the exponentials of
 *      the softmax, and multiply these weights with the values. With maps (infer_attention_maps.h),
 *      add the terms of one map before the softmax, and multiply the weights by 1 + the terms of
 *      the other map after it.
 *   5. run_head(): divide by the sums of the exponentials, and write the results to their cells.
 * In bf16 with AMX and without maps, run_amx() does all this by attention_amx.h. */
#include "nn/kernels/infer_attention.h"

#include <math.h>
#include <string.h>

#include "nn/kernels/bf16.h"
#include "nn/kernels/gemm.h"
#include "nn/kernels/int8/int8_gemm.h"
#include "nn/kernels/softmax.h"
#include "nn/kernels/transformer/attention_amx.h"
#include "nn/kernels/transformer/rotary_avx512.h"

enum { LANES = 16, QUERIES = 48 /* queries at once, so that their weights stay in the L2 cache */ };

static int padded(int count) {
    return (count + LANES - 1) / LANES * LANES;
}

/* The gathered matrices of one sample and one head of keys. With `bf16` each element of `queries`,
 * `keys` and `value_rows` is a pair of bf16. In `queries` and `keys`, a pair holds two channels of
 * one cell. In `value_rows`, a pair holds one channel of two cells. After the softmax, the first
 * half of each row of `weights` holds pairs of bf16, too. Each of these pairs holds the weights of
 * two cells. */
typedef struct {
    int count, columns; /* cells on the mask; `columns` is `count` padded to LANES */
    /* channels of a query and of a value; `values` is always padded, `query_channels` only for
     * bf16 */
    int query_channels, values;
    bool bf16, int8;                         /* multiply in bf16, or in integers */
    float *cells;                            /* indices of the gathered cells, as floats */
    float *rotated;                          /* queries or keys of one cell and head */
    float *queries;                          /* (count, query_channels), of one head */
    float *keys;                             /* (query_channels, columns) */
    float *value_rows;                       /* (columns, values) */
    float *weights;                          /* (QUERIES, columns) */
    float *sums, *results;                   /* (QUERIES), (QUERIES, values) */
    float *left, *right_keys, *right_values; /* room for rounded rows, keys and values (int8) */
    float *terms, *for_maps;                 /* (QUERIES, columns); scratch of map_terms_begin() */
    MapTerms map_terms;                      /* if AttentionCall.maps is not NULL */
    Int8Columns key_columns, value_columns;
    const InferKernels *kernels; /* NULL: use kernels/gemm.h and kernels/softmax.h */
} Gathered;

static size_t padded_room(size_t floats) {
    return (floats + LANES - 1) / LANES * LANES;
}

/* Assigns a place in the scratch to each matrix, unless `scratch` is NULL. Returns how many floats
 * the scratch needs. */
static size_t place_matrices(AttentionShape shape, AttentionMapShape maps, int cells,
                             float *scratch, Gathered *g) {
    g->query_channels = shape.query_channels;
    g->values = padded(shape.value_channels);
    size_t columns = (size_t)padded(cells), channels = (size_t)padded(shape.query_channels),
           values = (size_t)g->values,
           left = int8_rows_room(
               QUERIES, padded(cells > shape.query_channels ? cells : shape.query_channels)),
           right_keys = padded_room(int8_columns_room(shape.query_channels, cells)),
           right_values = padded_room(int8_columns_room(cells, shape.value_channels));
    const size_t sizes[] = {columns,
                            channels,
                            columns * channels,
                            columns * channels,
                            columns * values,
                            QUERIES * columns,
                            QUERIES,
                            QUERIES * values,
                            left,
                            right_keys,
                            right_values,
                            maps.rows ? QUERIES * columns : 0,
                            maps.rows ? map_terms_scratch(maps, cells) : 0};
    float **const places[] = {&g->cells,        &g->rotated, &g->queries, &g->keys, &g->value_rows,
                              &g->weights,      &g->sums,    &g->results, &g->left, &g->right_keys,
                              &g->right_values, &g->terms,   &g->for_maps};
    size_t used = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (scratch) *places[i] = scratch + used;
        used += sizes[i];
    }
    return used;
}

static size_t row_channels(AttentionShape shape) {
    return (size_t)((shape.heads + shape.kv_heads) * shape.query_channels +
                    shape.kv_heads * shape.value_channels);
}

/* The gathered cells of one sample for run_amx(). */
typedef struct {
    float *cells;    /* indices of the gathered cells, as floats */
    float *rows;     /* (count, channels of a row): rotated queries and keys, and values */
    float *results;  /* (count, channels of the output) */
    float *log_sums; /* (count) */
    float *kernel;   /* scratch of attention_amx.h */
} GatheredAmx;

/* Does what place_matrices() does. */
static size_t place_amx(AttentionShape shape, int cells, float *scratch, GatheredAmx *g) {
    size_t count = (size_t)cells;
    const size_t sizes[] = {
        count, count * row_channels(shape), count * (size_t)(shape.heads * shape.value_channels),
        count,
        attention_amx_scratch(count, (size_t)shape.query_channels, (size_t)shape.value_channels)};
    float **const places[] = {&g->cells, &g->rows, &g->results, &g->log_sums, &g->kernel};
    size_t used = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (scratch) *places[i] = scratch + used;
        used += padded_room(sizes[i]);
    }
    return used;
}

size_t attention_scratch(AttentionShape shape, AttentionMapShape maps, int cells) {
    Gathered unused;
    GatheredAmx unused_too;
    size_t size = place_matrices(shape, maps, cells, NULL, &unused),
           amx = maps.rows ? 0 : place_amx(shape, cells, NULL, &unused_too);
    return amx > size ? amx : size;
}

/* Rotates and scales the query or key of one cell and head. */
static void rotate(const AttentionCall *call, int cell, int kv_head, const float *from, float scale,
                   float *to) {
    int pairs = call->shape.query_channels / 2;
    if (!call->rotations) {
        for (int c = 0; c < call->shape.query_channels; c++)
            to[c] = scale * from[c];
        return;
    }
    const float *rotations =
        call->rotations + (size_t)(cell * call->shape.kv_heads + kv_head) * (size_t)pairs * 2;
    for (int p = 0; p < pairs; p++, from += 2, rotations += 2, to += 2) {
        to[0] = scale * (from[0] * rotations[0] - from[1] * rotations[1]);
        to[1] = scale * (from[0] * rotations[1] + from[1] * rotations[0]);
    }
}

static void gather_cells(const AttentionCall *call, int sample, Gathered *g) {
    g->count = 0;
    for (int cell = 0; cell < call->cells; cell++) {
        if (!call->mask || call->mask[sample * call->cells + cell] != 0.0f)
            g->cells[g->count++] = (float)cell;
    }
    g->columns = padded(g->count);
}

/* The number of elements, floats or pairs of bf16, in a query or key. */
static int query_elements(const Gathered *g) {
    return g->bf16 ? g->query_channels / 2 : g->query_channels;
}

static void gather_key(const AttentionCall *call, const float *from, int kv_head, int j,
                       Gathered *g) {
    int count = query_elements(g);
    memset(g->rotated, 0, (size_t)g->query_channels * sizeof *g->rotated);
    if (from) rotate(call, (int)g->cells[j], kv_head, from, 1, g->rotated);
    if (g->bf16) bf16_pack(g->rotated, g->query_channels, g->rotated);
    for (int c = 0; c < count; c++)
        memcpy(g->keys + (size_t)c * (size_t)g->columns + j, g->rotated + c, sizeof *g->keys);
}

/* Rounds a column with a scale from its largest magnitude. */
static void round_column(Int8Columns *columns, int j, const float *x, size_t stride) {
    float largest = 1e-30f;
    for (int k = 0; k < columns->depth; k++) {
        float magnitude = fabsf(x[(size_t)k * stride]);
        largest = magnitude > largest ? magnitude : largest;
    }
    int8_columns_set(columns, j, x, stride, largest / (float)INT8_GEMM_WIDE);
}

static void gather_keys(const AttentionCall *call, const float *x, int kv_head, Gathered *g) {
    AttentionShape s = call->shape;
    size_t channels = row_channels(s), key = (size_t)((s.heads + kv_head) * s.query_channels);
    for (int j = 0; j < g->columns; j++) {
        const float *row = j < g->count ? x + (size_t)g->cells[j] * channels : NULL;
        gather_key(call, row ? row + key : NULL, kv_head, j, g);
    }
}

/* Subtracts the mean of all keys from each key, and rounds the keys to integers. */
static void round_keys(Gathered *g) {
    g->key_columns = int8_columns_place(g->query_channels, g->count, g->right_keys);
    g->key_columns.wide = true;
    for (int c = 0; c < g->query_channels; c++) {
        float *row = g->keys + (size_t)c * (size_t)g->columns, sum = 0;
        for (int j = 0; j < g->count; j++)
            sum += row[j];
        for (int j = 0; j < g->count; j++)
            row[j] -= sum / (float)g->count;
    }
    for (int j = 0; j < g->count; j++)
        round_column(&g->key_columns, j, g->keys + j, (size_t)g->columns);
    int8_columns_pad(&g->key_columns);
}

static void round_values(Gathered *g, int channels) {
    g->value_columns = int8_columns_place(g->count, channels, g->right_values);
    g->value_columns.wide = true;
    for (int c = 0; c < channels; c++)
        round_column(&g->value_columns, c, g->value_rows + c, (size_t)g->values);
    int8_columns_pad(&g->value_columns);
}

static void gather_values(const AttentionCall *call, const float *x, int kv_head, Gathered *g) {
    AttentionShape s = call->shape;
    size_t channels = row_channels(s), values = (size_t)g->values,
           from = (size_t)((s.heads + s.kv_heads) * s.query_channels + kv_head * s.value_channels);
    for (int j = 0; j < g->columns; j++) {
        float *row = g->value_rows + (size_t)j * values;
        memset(row, 0, values * sizeof *row);
        if (j < g->count)
            memcpy(row, x + (size_t)g->cells[j] * channels + from,
                   (size_t)s.value_channels * sizeof *row);
        if (g->bf16 && j % 2) /* rows j - 1 and j become the row of pairs j / 2 */
            bf16_interleave(row - values, row, g->values, g->value_rows + (size_t)(j / 2) * values);
    }
}

static void gather_queries(const AttentionCall *call, const float *x, int head, Gathered *g) {
    AttentionShape s = call->shape;
    size_t channels = row_channels(s), count = (size_t)query_elements(g);
    float scale = 1 / sqrtf((float)s.query_channels);
    for (int i = 0; i < g->count; i++) {
        memset(g->rotated, 0, (size_t)g->query_channels * sizeof *g->rotated);
        rotate(call, (int)g->cells[i], head / (s.heads / s.kv_heads),
               x + (size_t)g->cells[i] * channels + (size_t)(head * s.query_channels), scale,
               g->rotated);
        if (g->bf16) bf16_pack(g->rotated, g->query_channels, g->rotated);
        memcpy(g->queries + (size_t)i * count, g->rotated, count * sizeof *g->queries);
    }
}

/* Does what attend() does, in integers. */
static void attend_int8(const Gathered *g, int rows, const float *queries) {
    Int8Rows left = int8_rows_place(QUERIES, g->query_channels, g->left);
    left.rows = rows;
    int8_rows_set(&left, INT8_ROWS_FINE, queries, (size_t)g->query_channels);
    int8_gemm(&(Int8GemmCall){
        .a = &left, .b = &g->key_columns, .y = g->weights, .stride = (size_t)g->columns});
    left = int8_rows_place(QUERIES, g->count, g->left);
    left.rows = rows;
    int8_rows_softmax(&left, g->weights, (size_t)g->columns, g->sums);
    int8_gemm(&(Int8GemmCall){
        .a = &left, .b = &g->value_columns, .y = g->results, .stride = (size_t)g->values});
}

static void multiply(const Gathered *g, int rows, int depth, int columns, const float *a,
                     const float *b, float *c) {
    (g->kernels ? g->kernels->gemm : gemm)(rows, depth, columns, a, b, c);
}

static void softmax(const Gathered *g, int rows) {
    (g->kernels ? g->kernels->softmax_exp : softmax_exp)(rows, g->count, g->columns, g->weights,
                                                         g->sums);
}

/* Does what attend() does between its two products, with maps. */
static void weigh_with_maps(const Gathered *g, int first, int rows) {
    size_t columns = (size_t)g->columns;
    map_terms_find(&g->map_terms, 0, first, rows, g->terms);
    for (size_t i = 0; i < (size_t)rows * columns; i++)
        g->weights[i] += g->terms[i];
    softmax(g, rows);
    if (g->map_terms.map[1]) {
        map_terms_find(&g->map_terms, 1, first, rows, g->terms);
        for (size_t i = 0; i < (size_t)rows; i++) {
            for (size_t j = 0; j < (size_t)g->count; j++)
                g->weights[i * columns + j] *= 1 + g->terms[i * columns + j];
        }
    }
    for (size_t i = 0; g->bf16 && i < (size_t)rows; i++)
        bf16_pack(g->weights + i * columns, g->columns, g->weights + i * columns);
}

/* Computes the exponentials of the softmax for the queries first .. first + rows - 1, and the sums
 * of the values weighted by these exponentials. run_head() divides by the sums of the
 * exponentials. */
static void attend(const Gathered *g, int first, int rows) {
    int depth = query_elements(g);
    const float *queries = g->queries + (size_t)first * (size_t)depth;
    if (g->int8) {
        attend_int8(g, rows, queries);
        return;
    }
    if (g->bf16)
        gemm_bf16(&(GemmBf16Shape){rows, depth, depth, g->columns}, queries, g->keys, g->weights);
    else
        multiply(g, rows, depth, g->columns, queries, g->keys, g->weights);
    if (g->map_terms.maps)
        weigh_with_maps(g, first, rows);
    else if (g->bf16)
        softmax_exp_bf16(rows, g->count, g->columns, g->weights, g->sums);
    else
        softmax(g, rows);
    if (g->bf16)
        gemm_bf16(&(GemmBf16Shape){rows, g->columns / 2, g->columns, g->values}, g->weights,
                  g->value_rows, g->results);
    else
        multiply(g, rows, g->columns, g->values, g->weights, g->value_rows, g->results);
}

static void run_head(const AttentionCall *call, const float *x, float *y, int head, Gathered *g) {
    AttentionShape s = call->shape;
    size_t out_channels = (size_t)(s.heads * s.value_channels),
           out = (size_t)(head * s.value_channels);
    gather_queries(call, x, head, g);
    for (int first = 0; first < g->count; first += QUERIES) {
        int rows = g->count - first < QUERIES ? g->count - first : QUERIES;
        attend(g, first, rows);
        for (int i = 0; i < rows; i++) {
            float *to = y + (size_t)g->cells[first + i] * out_channels + out,
                  inverse = 1 / g->sums[i];
            const float *from = g->results + (size_t)i * (size_t)g->values;
            for (int c = 0; c < s.value_channels; c++)
                to[c] = from[c] * inverse;
        }
    }
}

bool attention_int8_can(AttentionShape shape, int cells) {
    return !gemm_can(LANES) && shape.query_channels <= INT8_GEMM_DEPTH_MAX_WIDE_FINE &&
           cells <= INT8_GEMM_DEPTH_MAX_WIDE_SOFTMAX;
}

/* Gathers the cells on the mask of a sample, and returns how many they are. */
static size_t gather_rows(const AttentionCall *call, int sample, const GatheredAmx *g) {
    AttentionShape s = call->shape;
    size_t channels = row_channels(s), d = (size_t)s.query_channels, count = 0;
    const float *x = call->x + (size_t)(sample * call->cells) * channels;
    for (int cell = 0; cell < call->cells; cell++, x += channels) {
        if (call->mask && call->mask[sample * call->cells + cell] == 0.0f) continue;
        float *row = g->rows + count * channels;
        g->cells[count++] = (float)cell;
        memcpy(row, x, channels * sizeof *row);
        for (int head = 0; call->rotations && head < s.heads + s.kv_heads; head++) {
            int kv_head = head < s.heads ? head / (s.heads / s.kv_heads) : head - s.heads;
            rotary_rotate(d, call->rotations + (size_t)(cell * s.kv_heads + kv_head) * d,
                          row + (size_t)head * d);
        }
    }
    return count;
}

static void run_amx(const AttentionCall *call, int sample) {
    AttentionShape s = call->shape;
    GatheredAmx g = {0};
    place_amx(s, call->cells, call->scratch, &g);
    size_t channels = row_channels(s), out_channels = (size_t)(s.heads * s.value_channels),
           cells = (size_t)call->cells, count = gather_rows(call, sample, &g),
           d = (size_t)s.query_channels, e = (size_t)s.value_channels, heads = (size_t)s.heads,
           kv_heads = (size_t)s.kv_heads;
    float *y = call->y + (size_t)sample * cells * out_channels;
    for (size_t head = 0; head < heads && count; head++) {
        size_t kv_head = head / (heads / kv_heads);
        const AttentionAmx one = {.cells = count,
                                  .query_channels = d,
                                  .value_channels = e,
                                  .stride = channels,
                                  .y_stride = out_channels,
                                  .query = g.rows + head * d,
                                  .key = g.rows + (heads + kv_head) * d,
                                  .value = g.rows + (heads + kv_heads) * d + kv_head * e,
                                  .y = (count < cells ? g.results : y) + head * e,
                                  .log_sums = g.log_sums};
        attention_amx_forward(&one, g.kernel);
    }
    if (count == cells) return;
    memset(y, 0, cells * out_channels * sizeof *y);
    for (size_t i = 0; i < count; i++)
        memcpy(y + (size_t)g.cells[i] * out_channels, g.results + i * out_channels,
               out_channels * sizeof *y);
}

void attention_run(const AttentionCall *call) {
    AttentionShape s = call->shape;
    size_t channels = row_channels(s), out_channels = (size_t)(s.heads * s.value_channels),
           cells = (size_t)call->cells;
    int group = s.heads / s.kv_heads;
    Gathered g;
    place_matrices(s, call->maps ? call->maps->shape : (AttentionMapShape){.rows = 0}, call->cells,
                   call->scratch, &g);
    g.kernels = gemm_can(LANES) && softmax_can() ? NULL : call->kernels;
    g.bf16 = call->bf16 && gemm_can_bf16();
    g.int8 = call->int8 && !call->maps && attention_int8_can(s, call->cells);
    g.map_terms.maps = NULL;
    if (g.bf16 && !call->maps && attention_amx_can()) {
        for (int sample = 0; sample < call->samples; sample++)
            run_amx(call, sample);
        return;
    }
    if (g.bf16) g.query_channels = padded(g.query_channels);
    for (int sample = 0; sample < call->samples; sample++) {
        const float *x = call->x + (size_t)sample * cells * channels;
        float *y = call->y + (size_t)sample * cells * out_channels;
        gather_cells(call, sample, &g);
        if (g.count < call->cells) memset(y, 0, cells * out_channels * sizeof *y);
        if (call->maps && g.count)
            map_terms_begin(call->maps, sample, g.cells, g.count, g.kernels, g.for_maps,
                            &g.map_terms);
        for (int head = 0; head < s.heads && g.count; head++) {
            if (call->maps) map_terms_begin_head(&g.map_terms, sample, head, s.heads);
            if (head % group == 0) {
                gather_keys(call, x, head / group, &g);
                gather_values(call, x, head / group, &g);
                if (g.int8) {
                    round_keys(&g);
                    round_values(&g, s.value_channels);
                }
            }
            run_head(call, x, y, head, &g);
        }
    }
}

void attention_rotate(const AttentionCall *call) {
    AttentionShape s = call->shape;
    size_t channels = row_channels(s);
    int group = s.heads / s.kv_heads;
    for (int row = 0; row < call->samples * call->cells; row++) {
        const float *x = call->x + (size_t)row * channels;
        float *y = call->y + (size_t)row * channels;
        memcpy(y, x, channels * sizeof *y);
        for (int head = 0; head < s.heads + s.kv_heads; head++) {
            size_t at = (size_t)(head * s.query_channels);
            int kv_head = head < s.heads ? head / group : head - s.heads;
            rotate(call, row % call->cells, kv_head, x + at, 1, y + at);
        }
    }
}
