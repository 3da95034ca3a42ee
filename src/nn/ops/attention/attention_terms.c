/* Attention as in attention.c with more terms, which belong to pairs of points:
 *     s_ij = (q_i . k_j + q_i . Q[o] + k_j . K[o]) / sqrt(query_channels) + b_ij
 *     p_ij = softmax over j of s_ij,     w_ij = p_ij (1 + m_ij)
 *     y_i  = sum over j of w_ij (v_j + V[o])
 * o is the offset between the points, the place of i minus the place of j. Each head has its own
 * terms:
 * - b and m are maps (lczero-training, README: logit gating, fullgen, smolgen). The op
 *   attention_maps reads them from its second input, a list. The first rows of the list are b, one
 *   row for each head. If there are twice as many rows as heads, the second half of the rows is m.
 *   The attribute `map` says what a row holds:
 *       points    a number for each pair of points of a board of side x side, (side^2, side^2).
 *                 Such an op is only for boards of this size.
 *       offsets   a number for each offset, ((2 side - 1)^2), for boards of all sizes
 *       ranks     the vectors u of all points, then the vectors v, (2, side^2, rank). b_ij or m_ij
 *                 is u_i . v_j. A smaller board uses the vectors of the upper left corner.
 * - Q, K and V are tables (lczero-training, tfprocess.py, rpe_q, rpe_k, rpe_v), with a vector for
 *   each offset. The attribute `tables` says which of the three tables there are.
 * A pair whose offset is `side` or more in a direction has no terms from a table or from a map of
 * offsets. Rows and columns of the board count from 0. If the row or column of one of its points is
 * `side` or more, a pair has no terms from a map of ranks. The result is 0 off the mask. For
 * backward let dw_ij be dy_i . (v_j + V[o]):
 *     dm_ij = dw_ij p_ij,   dp_ij = dw_ij (1 + m_ij)
 *     ds_ij = p_ij (dp_ij - sum over j of p_ij dp_ij)
 *     db_ij = ds_ij,        dv_j  = sum over i of w_ij dy_i
 * The weights p are kept for one head at a time only, so backward computes them again. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "nn/ops/attention/attention_map.h"
#include "nn/ops/attention/attention_shape.h"
#include "nn/ops/board_places.h"
#include "nn/ops/op.h"

enum { TABLE_Q = 1, TABLE_K = 2, TABLE_V = 4, TABLES_ALL = 7, RANK_MAX = 64 };

static int offsets_of(const Op *op) {
    return (2 * op->side - 1) * (2 * op->side - 1);
}

/* OpCall.saved is scratch for one head of one sample at a time. It holds the weights p, the maps b
 * and m and their gradients, each (cells, cells); dp of one query; and the row and the column of
 * each cell. */
static size_t saved(const Op *op, int n, int cells) {
    (void)op;
    (void)n;
    return 5 * (size_t)cells * (size_t)cells + 3 * (size_t)cells;
}

/* A table of one head: a vector of `width` channels for each offset. */
typedef struct {
    const float *values; /* NULL if there is none */
    float *gradient;
    size_t width;
} Table;

/* One head of one sample. */
typedef struct {
    const OpCall *call;
    size_t cells, channels, out_channels;
    size_t q, k, v, o; /* first channel of its query, key and value in x, and of its output in y */
    size_t query_channels, value_channels;
    const float *x, *mask; /* of the sample */
    size_t x_start, y_start;
    const float *map, *factor_map; /* its rows of the second input; NULL if there are none */
    float *map_gradient, *factor_gradient;
    float *p, *b, *m, *db, *dm, *ds; /* see saved() */
    AttentionPlaces places;
    Table tables[3];
    float scale;
} Head;

static void set_tables(const OpCall *call, int head, Head *h) {
    size_t offsets = (size_t)offsets_of(call->op);
    for (int i = 0, used = 0; i < 3; i++) {
        if (!(call->op->tables >> i & 1)) continue;
        size_t width = i == 2 ? h->value_channels : h->query_channels,
               at = (size_t)head * offsets * width;
        h->tables[i] = (Table){call->parameters[used] + at,
                               call->gradients[used] ? call->gradients[used] + at : NULL, width};
        used++;
    }
}

static void set_maps(const OpCall *call, size_t sample, size_t head, Head *h) {
    if (call->op->kind != OP_ATTENTION_MAPS) return;
    size_t width = (size_t)call->in_channels[1], heads = (size_t)call->op->attention.heads,
           rows = (size_t)call->op->map.rows, at = (sample * rows + head) * width;
    h->map = call->x[1] + at;
    h->map_gradient = call->dx[1] ? call->dx[1] + at : NULL;
    if (rows == heads) return;
    h->factor_map = h->map + heads * width;
    h->factor_gradient = h->map_gradient ? h->map_gradient + heads * width : NULL;
}

static Head head_of(const OpCall *call, int sample, int head, const AttentionPlaces *places) {
    AttentionShape a = call->op->attention;
    size_t cells = (size_t)call->rows, square = cells * cells, d = (size_t)a.query_channels,
           e = (size_t)a.value_channels, heads = (size_t)a.heads, kv_heads = (size_t)a.kv_heads,
           kv = (size_t)head / (heads / kv_heads);
    float *scratch = call->saved;
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
              .mask = call->mask + (size_t)sample * cells,
              .p = scratch,
              .b = scratch + square,
              .m = scratch + 2 * square,
              .db = scratch + 3 * square,
              .dm = scratch + 4 * square,
              .ds = scratch + 5 * square,
              .places = *places,
              .scale = 1 / sqrtf((float)d)};
    h.x_start = (size_t)sample * cells * h.channels;
    h.y_start = (size_t)sample * cells * h.out_channels;
    h.x = call->x[0] + h.x_start;
    set_tables(call, head, &h);
    set_maps(call, (size_t)sample, (size_t)head, &h);
    return h;
}

/* Finds the places of the cells of a sample, and keeps them in the scratch. */
static AttentionPlaces places_of(const OpCall *call, int sample) {
    size_t cells = (size_t)call->rows;
    float *rows = call->saved + 5 * cells * cells + cells;
    return attention_places(attention_map_shape(call->op), call->height, call->width,
                            call->mask + (size_t)sample * cells, rows, rows + cells);
}

/* Returns the vector of a table for an offset, or NULL if there is none. */
static const float *vector_of(const Head *h, int table, int offset) {
    const Table *t = &h->tables[table];
    return t->values && offset >= 0 ? t->values + (size_t)offset * t->width : NULL;
}

/* Computes the weights p of query i by a softmax. */
static void weigh(const Head *h, size_t i) {
    float *p = h->p + i * h->cells, max = -INFINITY;
    const float *q = h->x + i * h->channels + h->q;
    for (size_t j = 0; j < h->cells; j++) {
        if (h->mask[j] == 0) continue;
        const float *k = h->x + j * h->channels + h->k;
        int offset = attention_offset(&h->places, i, j);
        const float *of_q = vector_of(h, 0, offset), *of_k = vector_of(h, 1, offset);
        float sum = op_dot(h->query_channels, q, k);
        if (of_q) sum += op_dot(h->query_channels, q, of_q);
        if (of_k) sum += op_dot(h->query_channels, k, of_k);
        p[j] = h->scale * sum + (h->map ? h->b[i * h->cells + j] : 0);
        if (p[j] > max) max = p[j];
    }
    double sum = 0;
    for (size_t j = 0; j < h->cells; j++) {
        p[j] = h->mask[j] != 0 ? expf(p[j] - max) : 0;
        sum += (double)p[j];
    }
    for (size_t j = 0; j < h->cells; j++)
        p[j] = (float)((double)p[j] / sum);
}

/* Computes the terms of the maps and the attention weights of all queries. */
static void prepare(const Head *h) {
    if (h->map) attention_map_read(&h->places, h->map, h->cells, h->b);
    if (h->factor_map) attention_map_read(&h->places, h->factor_map, h->cells, h->m);
    for (size_t i = 0; i < h->cells; i++) {
        if (h->mask[i] != 0) weigh(h, i);
    }
}

static float factor_of(const Head *h, size_t i, size_t j) {
    return h->factor_map ? 1 + h->m[i * h->cells + j] : 1;
}

static void forward(const OpCall *call) {
    int heads = call->op->attention.heads;
    AttentionPlaces places;
    memset(call->y, 0, op_elements(call) * sizeof(float));
    for (int k = 0; k < call->n * heads; k++) {
        if (k % heads == 0) places = places_of(call, k / heads);
        Head h = head_of(call, k / heads, k % heads, &places);
        prepare(&h);
        for (size_t i = 0; i < h.cells; i++) {
            float *y = call->y + h.y_start + i * h.out_channels + h.o;
            for (size_t j = 0; h.mask[i] != 0 && j < h.cells; j++) {
                if (h.mask[j] == 0) continue;
                float w = h.p[i * h.cells + j] * factor_of(&h, i, j);
                const float *of_v =
                    vector_of(&h, 2, h.tables[2].values ? attention_offset(&h.places, i, j) : -1);
                op_add_scaled(h.value_channels, w, h.x + j * h.channels + h.v, y);
                if (of_v) op_add_scaled(h.value_channels, w, of_v, y);
            }
        }
    }
}

/* Adds a vector to the gradient of a table at an offset. */
static void add_to_table(const Head *h, int table, int offset, float factor, const float *vector) {
    const Table *t = &h->tables[table];
    if (t->gradient && offset >= 0)
        op_add_scaled(t->width, factor, vector, t->gradient + (size_t)offset * t->width);
}

/* Writes dp of query i to h->ds, adds to the gradients of the values and of their table, and writes
 * dm if there is a map m. Returns the sum over j of p_ij dp_ij. */
static double backward_values(const Head *h, size_t i) {
    const float *p = h->p + i * h->cells,
                *dy = h->call->dy + h->y_start + i * h->out_channels + h->o;
    float *dx = h->call->dx[0] ? h->call->dx[0] + h->x_start : NULL;
    double sum = 0;
    for (size_t j = 0; j < h->cells; j++) {
        h->ds[j] = 0;
        if (h->mask[j] == 0) continue;
        int offset = h->tables[2].values ? attention_offset(&h->places, i, j) : -1;
        const float *of_v = vector_of(h, 2, offset);
        float factor = factor_of(h, i, j),
              dw = op_dot(h->value_channels, dy, h->x + j * h->channels + h->v);
        if (of_v) dw += op_dot(h->value_channels, dy, of_v);
        add_to_table(h, 2, offset, p[j] * factor, dy);
        if (dx) op_add_scaled(h->value_channels, p[j] * factor, dy, dx + j * h->channels + h->v);
        if (h->factor_map) h->dm[i * h->cells + j] = dw * p[j];
        h->ds[j] = dw * factor;
        sum += (double)p[j] * (double)h->ds[j];
    }
    return sum;
}

static void backward_query(const Head *h, size_t i) {
    const float *p = h->p + i * h->cells, *q = h->x + i * h->channels + h->q;
    float *dx = h->call->dx[0] ? h->call->dx[0] + h->x_start : NULL;
    double sum = backward_values(h, i);
    for (size_t j = 0; j < h->cells; j++) {
        if (h->mask[j] == 0) continue;
        const float *k = h->x + j * h->channels + h->k;
        int offset = attention_offset(&h->places, i, j);
        const float *of_q = vector_of(h, 0, offset), *of_k = vector_of(h, 1, offset);
        float ds = p[j] * (h->ds[j] - (float)sum), slope = ds * h->scale;
        if (h->map) h->db[i * h->cells + j] = ds;
        add_to_table(h, 0, offset, slope, q);
        add_to_table(h, 1, offset, slope, k);
        if (!dx) continue;
        float *dq = dx + i * h->channels + h->q, *dk = dx + j * h->channels + h->k;
        op_add_scaled(h->query_channels, slope, k, dq);
        op_add_scaled(h->query_channels, slope, q, dk);
        if (of_q) op_add_scaled(h->query_channels, slope, of_q, dq);
        if (of_k) op_add_scaled(h->query_channels, slope, of_k, dk);
    }
}

static void backward(const OpCall *call) {
    int heads = call->op->attention.heads;
    AttentionPlaces places;
    op_begin_gradient(call, 0);
    if (call->dx[1] && call->first[1])
        memset(call->dx[1], 0,
               (size_t)call->n * (size_t)call->op->map.rows * (size_t)call->in_channels[1] *
                   sizeof(float));
    for (int k = 0; k < call->n * heads; k++) {
        if (k % heads == 0) places = places_of(call, k / heads);
        Head h = head_of(call, k / heads, k % heads, &places);
        prepare(&h);
        for (size_t i = 0; i < h.cells; i++) {
            if (h.mask[i] != 0) backward_query(&h, i);
        }
        if (h.map_gradient) attention_map_add(&h.places, h.map, h.cells, h.db, h.map_gradient);
        if (h.factor_gradient)
            attention_map_add(&h.places, h.factor_map, h.cells, h.dm, h.factor_gradient);
    }
}

/* Checks what both ops share, and adds the tables as parameters. A table has one dimension,
 * (heads * offsets * channels), so that the optimiser Muon does not treat it as a matrix. */
static const char *tables_shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    static const char *const NAMES[] = {"query_table", "key_table", "value_table"};
    (void)inputs;
    AttentionShape a = op->attention;
    if (attention_channels(op) != op->channels) return ATTENTION_MISFIT;
    if (op->side < 1 || op->side > BOARD_SIDE_MAX) return "the side of attention must be 1 to 19";
    if (op->tables < 0 || op->tables > TABLES_ALL) return "unknown tables";
    for (int i = 0, used = 0; i < 3; i++) {
        if (!(op->tables >> i & 1)) continue;
        int width = i == 2 ? a.value_channels : a.query_channels;
        if (offsets_of(op) > (1 << 26) / a.heads / width)
            return "the tables of attention are too large";
        ParameterSpec *spec = &parameters[used++];
        *spec =
            (ParameterSpec){.rank = 1, .dims = {a.heads * offsets_of(op) * width}, .trained = true};
        snprintf(spec->name, sizeof spec->name, "%s", NAMES[i]);
    }
    op->channels = a.heads * a.value_channels;
    return NULL;
}

static const char *maps_shape(Op *op, const Op *const *inputs, ParameterSpec *parameters) {
    const Op *list = inputs[1];
    const char *wrong = tables_shape(op, inputs, parameters);
    if (wrong) return wrong;
    int heads = op->attention.heads;
    if ((unsigned)op->map.kind > MAP_RANKS) return "unknown maps";
    if (op->map.kind == MAP_RANKS ? op->map.rank < 1 || op->map.rank > RANK_MAX : op->map.rank != 0)
        return "the rank of maps must be 1 to 64 for the map ranks, and 0 for other maps";
    if (list->shape != KIND_LIST ||
        (size_t)list->channels != attention_map_numbers(attention_map_shape(op)) ||
        (list->rows != heads && list->rows != 2 * heads))
        return "the second input must be a list with one or two rows for each head, and each row "
               "must hold one map";
    op->map.rows = list->rows;
    return NULL;
}

static int only_side(const Op *op) {
    return op->map.kind == MAP_POINTS ? op->side : 0;
}

static double multiply_adds(const Op *op, int in_channels, int rows, int cells) {
    (void)in_channels;
    (void)rows;
    AttentionShape a = op->attention;
    double pairs = (double)cells * cells * a.heads;
    double terms = (double)((op->tables & 1) + (op->tables >> 1 & 1)) * a.query_channels +
                   (double)(op->tables >> 2 & 1) * a.value_channels + op->map.rank;
    return pairs * (a.query_channels + a.value_channels + terms);
}

static const char *const MAPS[] = {
    [MAP_POINTS] = "points", [MAP_OFFSETS] = "offsets", [MAP_RANKS] = "ranks", NULL};
static const OpField TABLE_FIELDS[] = {OP_FIELD_LIST("attention", attention, 4),
                                       OP_FIELD("side", OP_FIELD_COUNT, side),
                                       OP_FIELD("tables", OP_FIELD_COUNT, tables),
                                       {0}};
static const OpField MAP_FIELDS[] = {
    OP_FIELD_LIST("attention", attention, 4),   OP_FIELD("side", OP_FIELD_COUNT, side),
    OP_FIELD("tables", OP_FIELD_COUNT, tables), OP_FIELD_ENUM("map", map.kind, MAPS),
    OP_FIELD("rank", OP_FIELD_COUNT, map.rank), {0}};

const OpClass OP_CLASS_ATTENTION_TABLES = {.word = "attention_tables",
                                           .phrase = "attention with tables of offsets",
                                           .inputs = 1,
                                           .fields = TABLE_FIELDS,
                                           .shape = tables_shape,
                                           .saved = saved,
                                           .multiply_adds = multiply_adds,
                                           .forward = forward,
                                           .backward = backward};
const OpClass OP_CLASS_ATTENTION_MAPS = {.word = "attention_maps",
                                         .phrase = "attention with maps",
                                         .inputs = 2,
                                         .fields = MAP_FIELDS,
                                         .shape = maps_shape,
                                         .only_side = only_side,
                                         .saved = saved,
                                         .multiply_adds = multiply_adds,
                                         .forward = forward,
                                         .backward = backward};
