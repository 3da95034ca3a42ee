/* conv_int8_rows.h - part of conv_int8: computes a part of a row of a board for 1 to 3 groups of 16
 * output channels. Threading: free functions without state. */
#pragma once
#include "nn/kernels/conv/conv_int8_call.h"

enum { INT8_LANES = 16, INT8_GROUPS_MAX = 3, INT8_CELLS_MAX = 10, INT8_CELLS_MAX_WIDE = 9 };

typedef struct {
    const uint32_t *bordered; /* the first cell's first tap; an element is four channels */
    size_t quads;             /* elements of a cell */
    size_t bordered_row;      /* elements of a row */
    int kernel_h, kernel_w;
    int count, wide; /* cells, 1 to INT8_CELLS_MAX (INT8_CELLS_MAX_WIDE for 3 groups); groups */
    const uint32_t *weights;       /* (tap, quad, lane, 4 int8) of the first group */
    size_t group;                  /* elements of the weights of a group */
    const float *scales, *offsets; /* y = sum * scale + offset; both are padded to whole groups */
    const ConvInt8Call *call;
    size_t at;  /* index of the first cell's first channel in y, y_int8 and residual */
    int stride; /* of y, from cell to cell */
    int left;   /* output channels that are left from here on */
    bool plain; /* write only floats, in whole groups */
} Int8Row;

void int8_row_plain(const Int8Row *row);
void int8_row_vnni(const Int8Row *row); /* only where backend_isa() has VNNI */
