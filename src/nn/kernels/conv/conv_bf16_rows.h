/* conv_bf16_rows.h - part of conv_bf16: the kernels of forward and of backward to the data, with
 * AVX512_BF16. Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cells of a call: in general, with three groups of channels (whose sums must fit the registers),
 * and in each row of a call that computes two rows. */
enum {
    ROWS_LANES = 16,
    ROWS_MAX = 10,
    ROWS_THREE_GROUPS_MAX = 9,
    ROWS_TWO_MIN = 5,
    ROWS_TWO_MAX = 7
};

/* The shape of a bordered board: the board with a border of zeros, as pairs of bf16, (row, column,
 * pair of channels). */
typedef struct {
    int height, width, channels, kernel;
    int pairs;             /* pairs of channels */
    int bordered_width;    /* cells in a row, with the border */
    size_t bordered_cells; /* cells of the board, with the border */
} RowsBoard;

/* Rounds a board to bf16 and writes it into a bordered board, whose border is already zero. */
void rows_pack(const RowsBoard *board, const float *x, uint32_t *bordered);

/* Computes one row of the board's outputs, or a part of it: `count` (1 to ROWS_MAX) cells by one to
 * three groups of ROWS_LANES output channels. A call of two rows takes at most two groups. */
typedef struct {
    const uint32_t *bordered; /* the first cell's first tap */
    const uint32_t *weights;  /* (group, tap, pair, lane) */
    float *y;                 /* the first cell's first output channel */
    size_t stride;            /* of y, from cell to cell */
    size_t y_row;             /* of y, from the first to the second row; 0: one row */
    int left;                 /* output channels that are left from here on */
    int count, groups;
    bool add;
} RowsCall;
void rows_run(const RowsBoard *board, const RowsCall *call);

/* Packs weights (out, taps, in) as (out / 16, tap, pair of in, lane of out), with zeros where there
 * are no channels. */
void rows_pack_forward(int out, int taps, int in, const float *weights, uint32_t *packed);
/* Packs the same weights for backward to the data, rotated by 180 degrees: (in / 16, tap from the
 * last, pair of out, lane of in). */
void rows_pack_backward(int out, int taps, int in, const float *weights, uint32_t *packed);
