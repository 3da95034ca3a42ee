/* conv_bf16_rows.h - the part of conv_bf16.h that runs forward and backward to the data, with
 * AVX512_BF16. Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many cells a call can compute, so that their sums fit the registers. */
enum {
    ROWS_LANES = 16,           /* output channels in a group */
    ROWS_MAX = 10,             /* most cells of a call with one row */
    ROWS_THREE_GROUPS_MAX = 9, /* the same for a call with three groups */
    ROWS_TWO_MIN = 5,          /* cells in each row of a call with two rows */
    ROWS_TWO_MAX = 7
};

/* The shape of a bordered board: the board with a border of zeros, in pairs of bf16 (row, column,
 * pair of channels). */
typedef struct {
    int height, width, channels, kernel;
    int pairs;             /* pairs of channels */
    int bordered_width;    /* cells in a row, with the border */
    size_t bordered_cells; /* cells of the board, with the border */
} RowsBoard;

/* Rounds a board to bf16 and writes it into a bordered board, whose border is already zero. */
void rows_pack(const RowsBoard *board, const float *x, uint32_t *bordered);

/* A call computes one row of the board's outputs, a part of one, or two rows: `count` (1 to
 * ROWS_MAX) cells of each row by one to three groups of ROWS_LANES output channels. A call of two
 * rows takes at most two groups. */
typedef struct {
    const uint32_t *bordered; /* where the first tap of the first cell reads */
    const uint32_t *weights;  /* (group, tap, pair, lane) */
    float *y;                 /* the first output channel of the first cell */
    size_t stride;            /* floats from one cell of y to the next */
    size_t y_row;             /* floats from the first row of y to the second; 0 means one row */
    int left;                 /* number of output channels from the first one of this call on */
    int count, groups;
    bool add;
} RowsCall;
void rows_run(const RowsBoard *board, const RowsCall *call);

/* Rounds weights (out, taps, in) to bf16 and packs them as (group of out, tap, pair of in, lane of
 * out). Channels that do not exist become 0. */
void rows_pack_forward(int out, int taps, int in, const float *weights, uint32_t *packed);
/* Packs the same weights for backward to the data, with the kernels rotated by 180 degrees: (group
 * of in, tap from the last to the first, pair of out, lane of in). */
void rows_pack_backward(int out, int taps, int in, const float *weights, uint32_t *packed);
