#include "nn/ops/attention/attention_map.h"

#include "nn/ops/board_places.h"

AttentionMapShape attention_map_shape(const Op *op) {
    return (AttentionMapShape){op->map.kind, op->side, op->map.rank, op->map.rows};
}

size_t attention_map_numbers(AttentionMapShape shape) {
    size_t side = (size_t)shape.side, points = side * side, width = 2 * side - 1;
    return shape.kind == MAP_POINTS    ? points * points
           : shape.kind == MAP_OFFSETS ? width * width
                                       : 2 * points * (size_t)shape.rank;
}

AttentionPlaces attention_places(AttentionMapShape shape, int height, int width, const float *mask,
                                 float *rows, float *columns) {
    const OpCall buffer = {.height = height, .width = width, .mask = mask};
    const BoardPlaces board = board_places(&buffer, 0);
    for (int cell = 0; cell < height * width; cell++) {
        bool on = mask[cell] != 0;
        rows[cell] = on ? (float)(cell / width - board.row) : -1;
        columns[cell] = on ? (float)(cell % width - board.column) : -1;
    }
    return (AttentionPlaces){
        .shape = shape,
        .cells = (size_t)height * (size_t)width,
        .mask = mask,
        .rows = rows,
        .columns = columns,
    };
}

int attention_offset(const AttentionPlaces *places, size_t i, size_t j) {
    int side = places->shape.side, row = (int)(places->rows[i] - places->rows[j]) + side - 1,
        column = (int)(places->columns[i] - places->columns[j]) + side - 1, width = 2 * side - 1;
    return row < 0 || column < 0 || row >= width || column >= width ? -1 : row * width + column;
}

int attention_point(const AttentionPlaces *places, size_t i) {
    int side = places->shape.side, row = (int)places->rows[i], column = (int)places->columns[i];
    return row < 0 || row >= side || column >= side ? -1 : row * side + column;
}

/* Where the number of a pair is in a map: the number itself, or the vectors u and v. */
typedef struct {
    size_t u, v; /* `v` only for MAP_RANKS */
    bool exists;
} Term;

static Term term_of(const AttentionPlaces *places, size_t i, size_t j) {
    AttentionMapShape shape = places->shape;
    size_t points = (size_t)shape.side * (size_t)shape.side, rank = (size_t)shape.rank;
    if (places->mask[i] == 0 || places->mask[j] == 0) return (Term){.exists = false};
    bool offsets = shape.kind == MAP_OFFSETS;
    int from = offsets ? attention_offset(places, i, j) : attention_point(places, i),
        to = offsets ? 0 : attention_point(places, j);
    if (from < 0 || to < 0) return (Term){.exists = false};
    if (shape.kind == MAP_RANKS)
        return (Term){(size_t)from * rank, (points + (size_t)to) * rank, true};
    return (Term){.u = offsets ? (size_t)from : (size_t)from * points + (size_t)to, .exists = true};
}

void attention_map_read(const AttentionPlaces *places, const float *map, size_t stride,
                        float *pairs) {
    size_t rank = (size_t)places->shape.rank;
    bool ranks = places->shape.kind == MAP_RANKS;
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
    size_t rank = (size_t)places->shape.rank;
    for (size_t i = 0; i < places->cells; i++) {
        for (size_t j = 0; j < places->cells; j++) {
            Term term = term_of(places, i, j);
            float slope = pairs[i * stride + j];
            if (!term.exists) continue;
            if (places->shape.kind == MAP_RANKS) {
                op_add_scaled(rank, slope, map + term.v, gradient + term.u);
                op_add_scaled(rank, slope, map + term.u, gradient + term.v);
            } else {
                gradient[term.u] += slope;
            }
        }
    }
}
