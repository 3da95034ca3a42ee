/* conv_bf16_rows.h - inside conv_bf16: the two kernels for AVX512_BF16. Threading: free functions
 * without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cells of a call; of one with three groups, as many sums as registers hold; cells a row where a
 * call may do two rows. */
enum {
    ROWS_LANES = 16,
    ROWS_MAX = 10,
    ROWS_THREE_GROUPS_MAX = 9,
    ROWS_TWO_MIN = 5,
    ROWS_TWO_MAX = 7
};

/* A board with its border of zeros, as pairs of bf16: (row, column, pair of channels). */
typedef struct {
    int height, width, channels, kernel;
    int pairs;             /* of channels */
    int bordered_width;    /* cells of a row with the border */
    size_t bordered_cells; /* with the border */
} RowsBoard;

/* Rounds a board to bf16 into the inside of a tile whose border is zero. */
void rows_pack(const RowsBoard *board, const float *x, uint32_t *bordered);

/* One row of the board's outputs, or a part: `count` (1 to ROWS_MAX) cells by one to three groups
 * of ROWS_LANES output channels; by two at most for two rows. */
typedef struct {
    const uint32_t *bordered; /* at the first cell's first tap */
    const uint32_t *weights;  /* (group, tap, pair, lane) */
    float *y;                 /* at the first cell's first output channel */
    size_t stride;            /* of y, from cell to cell */
    size_t y_row;             /* of y, to the second row; 0: one row */
    int left;                 /* output channels from here on */
    int count, groups;
    bool add;
} RowsCall;
void rows_run(const RowsBoard *board, const RowsCall *call);

/* Weights (out, taps, in) into groups (out / 16, tap, pair of in, lane of out), zero beyond. */
void rows_pack_forward(int out, int taps, int in, const float *weights, uint32_t *packed);
/* The same weights turned over, for the way back: (in / 16, tap from the last, pair of out, lane of
 * in). */
void rows_pack_backward(int out, int taps, int in, const float *weights, uint32_t *packed);
