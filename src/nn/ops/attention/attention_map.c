#include "nn/ops/attention/attention_map.h"

#include "nn/ops/board_places.h"

AttentionPlaces attention_places(const OpCall *call, int sample, float *rows, float *columns) {
    const BoardPlaces board = board_places(call, sample);
    for (int cell = 0; cell < call->rows; cell++) {
        bool on = board.mask[cell] != 0;
        rows[cell] = on ? (float)(cell / call->width - board.row) : -1;
        columns[cell] = on ? (float)(cell % call->width - board.column) : -1;
    }
    return (AttentionPlaces){
        .op = call->op,
        .cells = (size_t)call->rows,
        .mask = board.mask,
        .rows = rows,
        .columns = columns,
    };
}

int attention_offset(const AttentionPlaces *places, size_t i, size_t j) {
    int side = places->op->side, row = (int)(places->rows[i] - places->rows[j]) + side - 1,
        column = (int)(places->columns[i] - places->columns[j]) + side - 1, width = 2 * side - 1;
    return row < 0 || column < 0 || row >= width || column >= width ? -1 : row * width + column;
}

int attention_point(const AttentionPlaces *places, size_t i) {
    int side = places->op->side, row = (int)places->rows[i], column = (int)places->columns[i];
    return row < 0 || row >= side || column >= side ? -1 : row * side + column;
}

/* Where the number of a pair is in a map: the number itself, or the vectors u and v. */
typedef struct {
    size_t u, v; /* `v` only for MAP_RANKS */
    bool exists;
} Term;

static Term term_of(const AttentionPlaces *places, size_t i, size_t j) {
    const Op *op = places->op;
    size_t points = (size_t)op->side * (size_t)op->side, rank = (size_t)op->map.rank;
    if (places->mask[i] == 0 || places->mask[j] == 0) return (Term){.exists = false};
    bool offsets = op->map.kind == MAP_OFFSETS;
    int from = offsets ? attention_offset(places, i, j) : attention_point(places, i),
        to = offsets ? 0 : attention_point(places, j);
    if (from < 0 || to < 0) return (Term){.exists = false};
    if (op->map.kind == MAP_RANKS)
        return (Term){(size_t)from * rank, (points + (size_t)to) * rank, true};
    return (Term){.u = offsets ? (size_t)from : (size_t)from * points + (size_t)to, .exists = true};
}

void attention_map_read(const AttentionPlaces *places, const float *map, size_t stride,
                        float *pairs) {
    size_t rank = (size_t)places->op->map.rank;
    bool ranks = places->op->map.kind == MAP_RANKS;
    for (size_t i = 0; i < places->cells; i++) {
        for (size_t j = 0; j < places->cells; j++) {
            Term term = term_of(places, i, j);
            pairs[i * stride + j] = !term.exists ? 0
                                    : ranks      ? op_dot(rank, map + term.u, map + term.v)
                                                 : map[term.u];
        }
    }
}

void attention_map_add(const AttentionPlaces *places, const float *map, size_t stride,
                       const float *pairs, float *gradient) {
    size_t rank = (size_t)places->op->map.rank;
    for (size_t i = 0; i < places->cells; i++) {
        for (size_t j = 0; j < places->cells; j++) {
            Term term = term_of(places, i, j);
            float slope = pairs[i * stride + j];
            if (!term.exists) continue;
            if (places->op->map.kind == MAP_RANKS) {
                op_add_scaled(rank, slope, map + term.v, gradient + term.u);
                op_add_scaled(rank, slope, map + term.u, gradient + term.v);
            } else {
                gradient[term.u] += slope;
            }
        }
    }
}
