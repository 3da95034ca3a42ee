/* conv_bf16_rows.h - the part of conv_bf16.h that computes the forward pass and the gradient of x,
 * with AVX512_BF16. In the forward pass, the bordered board (RowsBoard) holds x, and the results
 * are y. For the gradient of x, the bordered board holds dy, and the results are dx. Threading:
 * free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nn/kernels/conv/conv_amx.h"

/* The limits of a RowsCall. They make sure that its sums fit the registers. */
enum {
    ROWS_LANES = 16,           /* result channels in a group */
    ROWS_MAX = 10,             /* maximum number of cells if the call has one row */
    ROWS_THREE_GROUPS_MAX = 9, /* maximum if it has one row and three groups */
    ROWS_TWO_MIN = 5,          /* minimum and maximum in each row if it has two rows */
    ROWS_TWO_MAX = 7
};

/* The shape of a bordered board. This is a board with a border of zeros in the form of conv_amx.h,
 * stored as pairs of bf16: (row, column, pair of channels). */
typedef struct {
    int height, width, channels, kernel;
    int pairs;          /* pairs of channels */
    int bordered_width; /* cells in a row, with the border */
} RowsBoard;

/* Rounds a board to bf16 and writes it into a bordered board, whose border is already zero. */
void rows_pack(const RowsBoard *board, const float *x, uint32_t *bordered);

/* A call computes `count` neighbouring cells of one row of results, or of two rows, for one to
 * three groups of ROWS_LANES result channels. With two rows it takes at most two groups. */
typedef struct {
    const uint32_t *bordered; /* where the first tap of the first cell reads */
    const uint32_t *weights;  /* (group, tap, pair, lane) */
    float *y;                 /* the first result channel of the first cell */
    size_t stride;            /* floats from one cell of y to the next */
    size_t y_row;             /* floats from the first row of y to the second; 0 means one row */
    int left;                 /* result channels from the first one of this call to the last of y */
    int count, groups;
    bool add;
} RowsCall;
void rows_run(const RowsBoard *board, const RowsCall *call);
/* Stores the sums of a block of conv_amx.h in y (cell, channel), or adds them to y, for one or two
 * groups of result channels. `y` is the first result channel of these groups at the first cell of
 * the board, `channels` the number of result channels, and `left` the number of those that are not
 * before these groups. */
void rows_store_block(const AmxShape *shape, const AmxBlock *block, const AmxSums *sums, float *y,
                      int channels, int left, bool add);

/* Rounds weights (out, taps, in) to bf16 and packs them as (group of out, tap, pair of in, lane of
 * out). Channels that do not exist become 0. */
void rows_pack_forward(int out, int taps, int in, const float *weights, uint32_t *packed);
/* Rounds and packs the same weights for the gradient of x: (group of in, tap, pair of out, lane of
 * in). The taps are in reverse order, because this gradient is a convolution with the kernel
 * rotated by 180 degrees. */
void rows_pack_backward(int out, int taps, int in, const float *weights, uint32_t *packed);
