/* conv_bytes_rows.h - inside conv_bytes: sums of a part of a row of a board, by 1 to 3 groups of 16
 * output channels. Threading: free functions without state. */
#pragma once
#include "nn/kernels/conv/conv_bytes_call.h"

enum { BYTES_LANES = 16, BYTES_WIDE = 3, BYTES_MAX = 10, BYTES_MAX_WIDE = 9 };

typedef struct {
    const uint32_t *tile; /* at the first cell's first tap: four channels a number */
    size_t quads;         /* numbers a cell */
    size_t tile_row;      /* numbers a row of the tile */
    int kernel_h, kernel_w;
    int count, wide;               /* cells, 1 to BYTES_MAX (with 3 groups: to BYTES_MAX_WIDE) */
    const uint32_t *weights;       /* (tap, quad, lane, 4 signed bytes) of the first group */
    size_t group;                  /* numbers of weights a group */
    const float *scales, *offsets; /* y = sum * scale + offset; both padded to whole groups */
    const ConvBytesCall *call;
    size_t at;  /* of the first cell's first channel in y, bytes and residual */
    int stride; /* from cell to cell */
    int left;   /* output channels from here on */
    bool plain; /* only to floats, whole groups */
} BytesRow;

void bytes_row_plain(const BytesRow *row);
void bytes_row_vnni(const BytesRow *row); /* only where backend_isa() has VNNI */
