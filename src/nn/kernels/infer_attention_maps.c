/* If every pair has a term, the terms of a query lie at fixed distances from one place of the
 * map. For MAP_POINTS the distance is the index of the key's point. For MAP_OFFSETS it is the
 * place of the key, counted backwards: the offset grows while the place of the key falls. These
 * distances are the same for all queries and heads (MapTerms.steps). */
#include "nn/kernels/infer_attention_maps.h"

#include <string.h>

#include "nn/kernels/gemm.h"

enum { LANES = 16 };

static size_t padded(size_t count) {
    return (count + LANES - 1) / LANES * LANES;
}

static size_t lay_out(AttentionMapShape shape, int cells, float *scratch, MapTerms *out) {
    size_t columns = padded((size_t)cells),
           vectors = shape.kind == MAP_RANKS ? padded(columns * (size_t)shape.rank) : 0;
    const size_t sizes[] = {columns, columns, columns, vectors, vectors, vectors, vectors};
    float **const places[] = {&out->steps,    &out->rows,    &out->board_columns, &out->left[0],
                              &out->right[0], &out->left[1], &out->right[1]};
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if (scratch) *places[i] = scratch + total;
        total += sizes[i];
    }
    return total;
}

size_t map_terms_scratch(AttentionMapShape shape, int cells) {
    MapTerms unused;
    return lay_out(shape, cells, NULL, &unused);
}

static size_t cell_of(const MapTerms *terms, int i) {
    return (size_t)terms->cells[i];
}

void map_terms_begin(const AttentionMaps *maps, int sample, const float *cells, int count,
                     const InferKernels *kernels, float *scratch, MapTerms *out) {
    int side = maps->shape.side, all = maps->height * maps->width;
    *out = (MapTerms){.maps = maps,
                      .count = count,
                      .columns = (int)padded((size_t)count),
                      .cells = cells,
                      .complete = true,
                      .kernels = kernels};
    lay_out(maps->shape, all, scratch, out);
    out->places =
        attention_places(maps->shape, maps->height, maps->width,
                         maps->mask + (size_t)sample * (size_t)all, out->rows, out->board_columns);
    for (int j = 0; j < count; j++) {
        size_t cell = cell_of(out, j);
        int row = (int)out->rows[cell], column = (int)out->board_columns[cell];
        out->complete = out->complete && row < side && column < side;
        out->steps[j] = maps->shape.kind == MAP_POINTS ? (float)(row * side + column)
                                                       : -(float)(row * (2 * side - 1) + column);
    }
}

/* Gathers the vectors of all gathered cells. Cells without a vector get zeros. */
static void gather_vectors(MapTerms *terms, int which) {
    AttentionMapShape shape = terms->maps->shape;
    size_t rank = (size_t)shape.rank, points = (size_t)shape.side * (size_t)shape.side,
           columns = (size_t)terms->columns;
    for (int i = 0; i < terms->columns; i++) {
        int point = i < terms->count ? attention_point(&terms->places, cell_of(terms, i)) : -1;
        const float *u = terms->map[which] + (size_t)(point < 0 ? 0 : point) * rank,
                    *v = u + points * rank;
        for (size_t r = 0; r < rank; r++) {
            terms->left[which][(size_t)i * rank + r] = point < 0 ? 0 : u[r];
            terms->right[which][r * columns + (size_t)i] = point < 0 ? 0 : v[r];
        }
    }
}

void map_terms_begin_head(MapTerms *terms, int sample, int head, int heads) {
    AttentionMapShape shape = terms->maps->shape;
    size_t numbers = attention_map_numbers(shape);
    terms->map[0] =
        terms->maps->values + ((size_t)sample * (size_t)shape.rows + (size_t)head) * numbers;
    terms->map[1] = shape.rows > heads ? terms->map[0] + (size_t)heads * numbers : NULL;
    for (int which = 0; which < 2 && shape.kind == MAP_RANKS; which++) {
        if (terms->map[which]) gather_vectors(terms, which);
    }
}

OP_LOOP static void take(int count, const float *from, const float *restrict steps,
                         float *restrict to) {
    for (int j = 0; j < count; j++)
        to[j] = from[(int)steps[j]];
}

/* Writes the terms of one query where some pairs have none. */
static void find_some(const MapTerms *terms, const float *map, size_t cell, float *to) {
    const AttentionPlaces *places = &terms->places;
    size_t points = (size_t)places->shape.side * (size_t)places->shape.side;
    for (int j = 0; j < terms->count; j++) {
        size_t other = cell_of(terms, j);
        if (places->shape.kind == MAP_OFFSETS) {
            int offset = attention_offset(places, cell, other);
            to[j] = offset < 0 ? 0 : map[offset];
        } else {
            int i = attention_point(places, cell), k = attention_point(places, other);
            to[j] = i < 0 || k < 0 ? 0 : map[(size_t)i * points + (size_t)k];
        }
    }
}

/* Returns where the terms of a query lie in the map; MapTerms.steps counts from there. */
static const float *row_of(const MapTerms *terms, const float *map, size_t cell) {
    int side = terms->places.shape.side, points = side * side, width = 2 * side - 1,
        row = (int)terms->rows[cell], column = (int)terms->board_columns[cell];
    return terms->places.shape.kind == MAP_POINTS
               ? map + (size_t)(row * side + column) * (size_t)points
               : map + (row + side - 1) * width + column + side - 1;
}

void map_terms_find(const MapTerms *terms, int which, int first, int rows, float *to) {
    const float *map = terms->map[which];
    AttentionMapShape shape = terms->places.shape;
    if (shape.kind == MAP_RANKS) {
        (terms->kernels ? terms->kernels->gemm : gemm)(
            rows, shape.rank, terms->columns,
            terms->left[which] + (size_t)first * (size_t)shape.rank, terms->right[which], to);
        return;
    }
    for (int i = 0; i < rows; i++, to += terms->columns) {
        size_t cell = cell_of(terms, first + i);
        if (terms->complete)
            take(terms->count, row_of(terms, map, cell), terms->steps, to);
        else
            find_some(terms, map, cell, to);
    }
}
