/* conv_int8_rows.h - inside conv_int8: sums of a part of a row of a board, by 1 to 3 groups of 16
 * output channels. Threading: free functions without state. */
#pragma once
#include "nn/kernels/conv/conv_int8_call.h"

enum { INT8_LANES = 16, INT8_GROUPS_MAX = 3, INT8_CELLS_MAX = 10, INT8_CELLS_MAX_WIDE = 9 };

typedef struct {
    const uint32_t *bordered; /* at the first cell's first tap: four channels a number */
    size_t quads;             /* numbers a cell */
    size_t bordered_row;      /* numbers a row of the tile */
    int kernel_h, kernel_w;
    int count, wide; /* cells, 1 to INT8_CELLS_MAX (with 3 groups: to INT8_CELLS_MAX_WIDE) */
    const uint32_t *weights;       /* (tap, quad, lane, 4 signed bytes) of the first group */
    size_t group;                  /* numbers of weights a group */
    const float *scales, *offsets; /* y = sum * scale + offset; both padded to whole groups */
    const ConvInt8Call *call;
    size_t at;  /* of the first cell's first channel in y, bytes and residual */
    int stride; /* from cell to cell */
    int left;   /* output channels from here on */
    bool plain; /* only to floats, whole groups */
} Int8Row;

void int8_row_plain(const Int8Row *row);
void int8_row_vnni(const Int8Row *row); /* only where backend_isa() has VNNI */
