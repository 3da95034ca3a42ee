/* infer_attention_maps.h - the terms that the maps of attention (nn/ops/attention/attention_map.h)
 * add to logits or multiply weights with, for the cells of one board that infer_attention.h has
 * gathered. Threading: free functions; calls at the same time need different scratch memory. */
#pragma once
#include "nn/kernels/infer_kernels.h"
#include "nn/ops/attention/attention_map.h"

/* The maps of a call of attention. */
typedef struct {
    AttentionMapShape shape;
    const float *values; /* (samples, shape.rows, numbers of a map) */
    int height, width;   /* of the buffer */
    const float *mask;   /* (samples, cells), never NULL */
} AttentionMaps;

/* The maps of one sample, and of the head that map_terms_begin_head() has chosen. */
typedef struct {
    const AttentionMaps *maps;
    AttentionPlaces places;
    int count, columns;          /* gathered cells; `columns` is `count` padded to 16 */
    const float *cells;          /* indices of the gathered cells, as floats */
    bool complete;               /* every pair of gathered cells has a term */
    const InferKernels *kernels; /* NULL: use kernels/gemm.h */
    /* (columns): where the term of a query and each key is in the map, counted from the term of
     * the query and the first point of the board; not used for MAP_RANKS */
    float *steps;
    const float *map[2]; /* of the head: that of the logits, and that of the weights or NULL */
    float *left[2], *right[2]; /* MAP_RANKS: vectors u (columns, rank) and v (rank, columns) */
    float *rows, *board_columns;
} MapTerms;

/* Returns how many floats of scratch memory are needed for a buffer with `cells` cells. */
size_t map_terms_scratch(AttentionMapShape shape, int cells);
/* Prepares the terms of a sample. `cells`: the gathered cells, of which there are `count`; they
 * must stay where they are. */
void map_terms_begin(const AttentionMaps *maps, int sample, const float *cells, int count,
                     const InferKernels *kernels, float *scratch, MapTerms *out);
/* Chooses a head, one of `heads`, of the sample of map_terms_begin(). */
void map_terms_begin_head(MapTerms *terms, int sample, int head, int heads);
/* Writes the terms of the queries first .. first + rows - 1 to `to` (rows, columns). `which`: 0 for
 * the map of the logits, 1 for that of the weights, which must exist. The columns after the first
 * `count` have no meaning. */
void map_terms_find(const MapTerms *terms, int which, int first, int rows, float *to);
