/* attention_map.h - the maps of attention: terms that belong to pairs of cells. attention_terms.c
 * says what maps are and which pairs have terms. Threading: free functions without state. */
#pragma once
#include "nn/ops/op.h"

/* The form of the maps of an op. */
typedef struct {
    MapKind kind;
    int side, rank; /* `rank` only for MAP_RANKS */
    int rows;       /* of the second input; 0: the op has no maps */
} AttentionMapShape;

AttentionMapShape attention_map_shape(const Op *op);
size_t attention_map_numbers(AttentionMapShape shape); /* in a row of the second input */

/* What the maps of all heads of one sample have in common. */
typedef struct {
    AttentionMapShape shape;
    size_t cells;
    const float *mask;           /* (cells) */
    const float *rows, *columns; /* (cells): the place of each cell on its board; -1 off the mask */
} AttentionPlaces;

/* Finds the places of the cells of a sample in a buffer of height x width. Writes them to `rows`
 * and `columns`, which the result refers to. `mask`: that of the sample, (cells). */
AttentionPlaces attention_places(AttentionMapShape shape, int height, int width, const float *mask,
                                 float *rows, float *columns);
/* Returns the index of the offset from cell j to cell i, or -1 if the offset is `side` or more in a
 * direction. */
int attention_offset(const AttentionPlaces *places, size_t i, size_t j);
/* Returns the index that a cell has among the points of a board of side x side. Returns -1 if the
 * cell is off the mask, or if its row or column on its board is `side` or more. */
int attention_point(const AttentionPlaces *places, size_t i);
/* Writes the terms of the map of one head to `pairs` (cells, stride). A pair without a term, and a
 * pair with a cell off the mask, get 0. `map`: its row of the op's second input. */
void attention_map_read(const AttentionPlaces *places, const float *map, size_t stride,
                        float *pairs);
/* Adds the gradients of the terms, which are in `pairs` (cells, stride), to the gradient of the
 * map. */
void attention_map_add(const AttentionPlaces *places, const float *map, size_t stride,
                       const float *pairs, float *gradient);
