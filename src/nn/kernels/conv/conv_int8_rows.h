/* conv_int8_rows.h - the part of conv_int8.h that computes a part of a row of a board, for 1 to 3
 * groups of 16 output channels. Threading: free functions without state. */
#pragma once
#include "nn/kernels/conv/conv_amx.h"
#include "nn/kernels/conv/conv_int8_call.h"

enum { INT8_LANES = 16, INT8_GROUPS_MAX = 3, INT8_CELLS_MAX = 10, INT8_CELLS_MAX_WIDE = 9 };

typedef struct {
    /* where the first tap of the first cell reads; an element holds four channels */
    const uint32_t *bordered;
    size_t quads;        /* elements of `bordered` in a cell */
    size_t bordered_row; /* elements of `bordered` in a row */
    int kernel_h, kernel_w;
    int count; /* number of cells: 1 to INT8_CELLS_MAX, with three groups to INT8_CELLS_MAX_WIDE */
    int wide;  /* number of groups: 1 to INT8_GROUPS_MAX */
    const uint32_t *weights;       /* (tap, quad, lane, 4 int8) of the first group */
    size_t group;                  /* elements of `weights` in a group */
    const float *scales, *offsets; /* y = sum * scale + offset; both are padded to whole groups */
    const ConvInt8Call *call;
    size_t at;  /* index of the first channel of the first cell in y, y_int8 and residual */
    int stride; /* elements from one cell of y to the next */
    int left;   /* output channels from the first one of this call to the last of y */
    bool plain; /* store sum * scale + offset as floats, in whole groups, and do nothing else */
} Int8Row;

void int8_row_plain(const Int8Row *row);
void int8_row_vnni(const Int8Row *row); /* only where backend_isa() has VNNI */
/* Computes a whole board, for all groups from the first one of `first`. Its members count, wide and
 * at are not used. Only where amx_shape_init() has returned true for `shape`. */
void int8_board_amx(const Int8Row *first, const AmxShape *shape);
