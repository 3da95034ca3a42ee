#include "eval/formats/onnx/onnx_attention.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval/formats/onnx/onnx_places.h"

/* The outline, where d is the number of channels of a query and e that of a value.
 * nn/ops/attention/attention_terms.c has the formulas and says what the tables Q, K and V and the
 * maps b and m are.
 * 1. Cut the channels into queries and keys (N, heads, cells, d) and values (N, heads, cells, e).
 *    Where several heads of queries share a head of keys and values, each head of queries gets a
 *    copy.
 * 2. The logits (N, heads, cells, cells) are queries times keys, plus the terms of the tables Q and
 *    K. Scale them, and add the map b.
 * 3. A softmax over the last dimension gives the weights, which are multiplied by 1 + m.
 * 4. Weights times values, plus the terms of the table V, are the result.
 * A table has a vector for each offset: the place of the query minus the place of the key. So the
 * products of queries or keys with tables are (N, heads, cells, offsets), and each pair of cells
 * takes the number at its offset. For the table V the weights are arranged by query and offset. */

enum { TABLE_Q, TABLE_K, TABLE_V, TABLES };

typedef struct {
    const OnnxBuild *build;
    OnnxGraph *graph;
    const Op *op;
    int heads, cells, offsets;
    bool complete; /* every pair of cells has an offset: the board is not larger than op->side */
    OnnxName q, k, v;
} Attention;

/* Returns `heads` heads of `width` channels each; the first head begins at channel `first`. The
 * result is (N, a->heads, cells, width). If `heads` is smaller than a->heads, each head is
 * repeated. */
static OnnxName cut(const Attention *a, const OnnxName *x, int first, int heads, int width) {
    OnnxName part = onnx_slice(a->graph, x, 1, first, heads * width);
    part = onnx_reshape(a->graph, &part, 4, (int64_t[]){-1, heads, width, a->cells});
    if (heads < a->heads) {
        OnnxName shared;
        shared = onnx_constant_name("heads_%d_of_%d", a->heads, heads);
        int64_t *to = onnx_new_ints(a->graph, &shared, 1, (int64_t[]){a->heads});
        for (int i = 0; to && i < a->heads; i++)
            to[i] = i / (a->heads / heads);
        part = onnx_gather(a->graph, &part, 1, &shared);
    }
    return onnx_transpose(a->graph, &part, 4, (int64_t[]){0, 1, 3, 2});
}

static Attention attention_of(const OnnxBuild *build, const Op *op) {
    AttentionShape s = op->attention;
    OnnxName x = onnx_input(build, op, 0);
    int width = 2 * op->side - 1;
    Attention a = {.build = build,
                   .graph = build->graph,
                   .op = op,
                   .heads = s.heads,
                   .cells = build->cells,
                   .offsets = width * width,
                   .complete = build->height <= op->side && build->width <= op->side};
    a.q = cut(&a, &x, 0, s.heads, s.query_channels);
    a.k = cut(&a, &x, s.heads * s.query_channels, s.kv_heads, s.query_channels);
    a.v = cut(&a, &x, (s.heads + s.kv_heads) * s.query_channels, s.kv_heads, s.value_channels);
    return a;
}

/* Returns the index of the offset between query i and key j. Returns -1 if the two cells are so far
 * apart that tables and maps do not have this offset. */
static int offset_of(const Attention *a, int i, int j) {
    int side = a->op->side, board = a->build->width, width = 2 * side - 1;
    int row = i / board - j / board + side - 1, column = i % board - j % board + side - 1;
    return row < 0 || column < 0 || row >= width || column >= width ? -1 : row * width + column;
}

/* Which element take() takes for a row and a column; a row is a query. The comment of each choice
 * says what a column is, the shape of the array from which the element is taken, and the index of
 * the element in this array. */
typedef enum {
    PAIRS_OF_MAP,    /* a key; (offsets); [offset of the pair] */
    PAIRS_OF_QUERY,  /* a key; (cells, offsets); [query][offset of the pair] */
    PAIRS_OF_KEY,    /* a key; (cells, offsets); [key][offset of the pair] */
    OFFSETS_OF_QUERY /* an offset; (cells, cells); [query][the key at this offset] */
} Choice;

/* Writes the index of the element for row i and column j. Returns false if there is none. */
static bool index_of(const Attention *a, Choice choice, int i, int j, int64_t *out) {
    int offset = choice == OFFSETS_OF_QUERY ? j : offset_of(a, i, j);
    *out = 0;
    if (choice == OFFSETS_OF_QUERY) {
        for (int key = 0; key < a->cells; key++) {
            if (offset_of(a, i, key) != offset) continue;
            *out = (int64_t)i * a->cells + key;
            return true;
        }
        return false;
    }
    if (offset < 0) return false;
    if (choice == PAIRS_OF_MAP) *out = offset;
    if (choice == PAIRS_OF_QUERY) *out = (int64_t)i * a->offsets + offset;
    if (choice == PAIRS_OF_KEY) *out = (int64_t)j * a->offsets + offset;
    return true;
}

/* Takes elements from `numbers` (N, heads, elements), whose last dimension is the flattened array
 * that `choice` describes. The result is (N, heads, cells, columns), with 0 where there is no
 * element. */
static OnnxName take(const Attention *a, const OnnxName *numbers, Choice choice) {
    static const char *const WORDS[] = {"pairs_of_map", "pairs_of_query", "pairs_of_key",
                                        "offsets_of_query"};
    int columns = choice == OFFSETS_OF_QUERY ? a->offsets : a->cells;
    const int64_t dims[] = {a->cells, columns};
    OnnxName index, exists;
    index = onnx_constant_name("%s_%d", WORDS[choice], a->op->side);
    exists = onnx_constant_name("%s_%d_exist", WORDS[choice], a->op->side);
    bool gaps = choice == OFFSETS_OF_QUERY || !a->complete;
    int64_t *indices = onnx_new_ints(a->graph, &index, 2, dims);
    float *exist = indices && gaps ? onnx_new_floats(a->graph, &exists, 2, dims) : NULL;
    for (int i = 0; indices && i < a->cells; i++) {
        for (int j = 0; j < columns; j++) {
            size_t at = (size_t)i * (size_t)columns + (size_t)j;
            bool found = index_of(a, choice, i, j, &indices[at]);
            if (exist) exist[at] = found;
        }
    }
    OnnxName taken = onnx_gather(a->graph, numbers, 2, &index);
    return gaps ? onnx_binary(a->graph, "Mul", &taken, &exists) : taken;
}

/* Returns a table as (heads, offsets, width) or, transposed, as (heads, width, offsets). */
static OnnxName table_of(const Attention *a, int table, bool transposed) {
    int parameter = 0, width = table == TABLE_V ? a->op->attention.value_channels
                                                : a->op->attention.query_channels;
    for (int i = 0; i < table; i++)
        parameter += a->op->tables >> i & 1;
    OnnxName name = onnx_parameter_name(a->build, a->op, parameter, "");
    const float *from = onnx_parameter_values(a->build, a->op, parameter);
    int64_t dims[] = {a->heads, a->offsets, width};
    if (transposed) {
        dims[1] = width;
        dims[2] = a->offsets;
    }
    float *to = onnx_new_floats(a->graph, &name, 3, dims);
    for (int h = 0; to && h < a->heads; h++) {
        for (int o = 0; o < a->offsets; o++) {
            for (int c = 0; c < width; c++, from++) {
                int at = transposed ? c * a->offsets + o : o * width + c;
                to[(size_t)h * (size_t)(a->offsets * width) + (size_t)at] = *from;
            }
        }
    }
    return name;
}

static bool has_table(const Attention *a, int table) {
    return a->op->tables >> table & 1;
}

/* Adds the products of queries or keys with their table to the logits. */
static OnnxName add_table(const Attention *a, const OnnxName *logits, int table) {
    if (!has_table(a, table)) return *logits;
    OnnxName vectors = table_of(a, table, true);
    OnnxName products = onnx_binary(a->graph, "MatMul", table == TABLE_Q ? &a->q : &a->k, &vectors);
    products =
        onnx_reshape(a->graph, &products, 3, (int64_t[]){-1, a->heads, a->cells * a->offsets});
    products = take(a, &products, table == TABLE_Q ? PAIRS_OF_QUERY : PAIRS_OF_KEY);
    return onnx_binary(a->graph, "Add", logits, &products);
}

static OnnxName scaled_logits(const Attention *a) {
    OnnxName keys = onnx_transpose(a->graph, &a->k, 4, (int64_t[]){0, 1, 3, 2}),
             logits = onnx_binary(a->graph, "MatMul", &a->q, &keys),
             scale = onnx_number(a->graph, 1 / sqrtf((float)a->op->attention.query_channels));
    logits = add_table(a, &logits, TABLE_Q);
    logits = add_table(a, &logits, TABLE_K);
    return onnx_binary(a->graph, "Mul", &logits, &scale);
}

/* Returns weights times values, with the channels of the heads side by side, as a spatial value. */
static OnnxName sum_values(const Attention *a, const OnnxName *weights) {
    OnnxName sums = onnx_binary(a->graph, "MatMul", weights, &a->v);
    if (has_table(a, TABLE_V)) {
        OnnxName vectors = table_of(a, TABLE_V, false),
                 flat = onnx_reshape(a->graph, weights, 3,
                                     (int64_t[]){-1, a->heads, a->cells * a->cells});
        flat = take(a, &flat, OFFSETS_OF_QUERY);
        flat = onnx_binary(a->graph, "MatMul", &flat, &vectors);
        sums = onnx_binary(a->graph, "Add", &sums, &flat);
    }
    sums = onnx_transpose(a->graph, &sums, 4, (int64_t[]){0, 1, 3, 2});
    return onnx_unflatten(a->build, &sums, a->op->channels);
}

OnnxName onnx_attention(const OnnxBuild *build, const Op *op) {
    const Attention a = attention_of(build, op);
    OnnxName weights = scaled_logits(&a);
    weights = onnx_softmax(a.graph, "Softmax", &weights);
    return sum_values(&a, &weights);
}

OnnxName onnx_attention_tables(const OnnxBuild *build, const Op *op) {
    return onnx_attention(build, op);
}

/* Returns the vectors u (which = 0) or v (which = 1) of a map of the kind `ranks`, as (N, heads,
 * cells, rank), from (N, heads, 2 points, rank). Cells whose row or column is `side` or more have
 * the vector 0. */
static OnnxName rank_vectors(const Attention *a, const OnnxName *map, int which) {
    int side = a->op->side, points = side * side;
    OnnxName index, exists, vectors;
    if (side == a->build->height && side == a->build->width)
        return onnx_slice(a->graph, map, 2, which * points, points);
    index = onnx_constant_name("points_of_%s_%d", which ? "keys" : "queries", side);
    exists = onnx_constant_name("points_%d_exist", side);
    int64_t *indices = onnx_new_ints(a->graph, &index, 1, (int64_t[]){a->cells});
    float *exist =
        a->complete ? NULL : onnx_new_floats(a->graph, &exists, 2, (int64_t[]){a->cells, 1});
    for (int cell = 0; cell < a->cells; cell++) {
        int point = onnx_point(a->build, cell, side);
        if (indices) indices[cell] = which * points + (point < 0 ? 0 : point);
        if (exist) exist[cell] = point >= 0;
    }
    vectors = onnx_gather(a->graph, map, 2, &index);
    return a->complete ? vectors : onnx_binary(a->graph, "Mul", &vectors, &exists);
}

/* Returns the map (N, heads, cells, cells) that the rows from `first` on of the second input
 * hold. */
static OnnxName map_at(const Attention *a, int first) {
    const Op *op = a->op;
    OnnxName list = onnx_input(a->build, op, 1), u, v;
    list = onnx_slice(a->graph, &list, 1, first, a->heads);
    if (op->map.kind == MAP_OFFSETS) return take(a, &list, PAIRS_OF_MAP);
    if (op->map.kind == MAP_POINTS) /* such a net is only for boards of this side */
        return onnx_reshape(a->graph, &list, 4, (int64_t[]){-1, a->heads, a->cells, a->cells});
    list = onnx_reshape(a->graph, &list, 4,
                        (int64_t[]){-1, a->heads, 2 * op->side * op->side, op->map.rank});
    u = rank_vectors(a, &list, 0);
    v = rank_vectors(a, &list, 1);
    v = onnx_transpose(a->graph, &v, 4, (int64_t[]){0, 1, 3, 2});
    return onnx_binary(a->graph, "MatMul", &u, &v);
}

OnnxName onnx_attention_maps(const OnnxBuild *build, const Op *op) {
    const Attention a = attention_of(build, op);
    OnnxName weights = scaled_logits(&a), map = map_at(&a, 0), one = onnx_number(a.graph, 1);
    weights = onnx_binary(a.graph, "Add", &weights, &map);
    weights = onnx_softmax(a.graph, "Softmax", &weights);
    if (op->map.rows > a.heads) {
        map = map_at(&a, a.heads);
        map = onnx_binary(a.graph, "Add", &map, &one);
        weights = onnx_binary(a.graph, "Mul", &weights, &map);
    }
    return sum_values(&a, &weights);
}
