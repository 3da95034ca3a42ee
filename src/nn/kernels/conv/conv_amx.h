/* conv_amx.h - the sums of convolutions on small boards with AMX (Intel's Advanced Matrix
 * Extensions), for conv_int8.h and conv_bf16.h. Both store their boards and weights in units of
 * four bytes: four channels of int8, or two channels of bf16. A board with its border is stored as
 * (row, column, unit), and the weights as (group of AMX_LANES result channels, tap, unit, lane).
 *
 * The cells of the bordered board are read as one long row, which is divided into parts of
 * AMX_CELLS cells. So a part also has sums for places in the border, which nobody uses. To keep
 * these places few, the right border of a row is the left border of the next row: a row has
 * width + edge cells, where edge = kernel / 2. The board begins with `edge` rows of border, and
 * ends with `edge` rows and `edge` cells of it. A block has one or two parts, and its sums are
 * computed together.
 * Threading: between amx_begin() and amx_end(), a thread must not call other code that uses AMX. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nn/kernels/conv/conv_amx_tiles.h"

enum { AMX_LANES = 16, AMX_CELLS = 16 };

typedef struct {
    int height, width, kernel;
    size_t units;        /* in a cell */
    size_t bordered_row; /* units in a row of the bordered board */
    int steps;           /* pieces of equal length in which the units of a cell are read */
    int parts, blocks;   /* in the board */
} AmxShape;

typedef struct {
    const uint32_t *bordered[2]; /* where the first tap of the first cell of each part reads */
    int number;                  /* of the first part */
    int parts;                   /* one or two */
} AmxBlock;

/* Neighbouring cells of a part that are on the board. */
typedef struct {
    int first, count; /* in the part */
    size_t cell;      /* the first of them, counted row by row without borders */
} AmxRun;

/* The sums (part, group, cell, lane): integers for int8, floats for bf16. */
typedef union {
    int32_t whole[2][2][AMX_CELLS][AMX_LANES];
    float real[2][2][AMX_CELLS][AMX_LANES];
} AmxSums;

/* Returns how many cells a row of a bordered board has in this form, and how many cells must be
 * allocated for the board, which include those that the last part reads beyond its end. */
int amx_bordered_width(int width, int kernel);
size_t amx_bordered_cells(int height, int width, int kernel);
/* Fills in steps, parts and blocks of `shape` from its other members. Returns false if
 * backend_isa() has no AMX, or if another kernel is faster for this shape. */
bool amx_shape_init(AmxShape *shape);
/* Returns the block with this number. */
AmxBlock amx_block(const AmxShape *shape, const uint32_t *bordered, int number);
/* Lists the runs of a part, at most AMX_CELLS, and returns their number. */
int amx_runs(const AmxShape *shape, int part, AmxRun out[AMX_CELLS]);
/* Sets the sizes of this thread's tiles. After the sums, call amx_end() (conv_amx_tiles.h). */
void amx_begin(const AmxShape *shape);
/* Computes the sums of a block for one or two groups. `weights` are those of the first group. */
void amx_sums_int8(const AmxShape *shape, const AmxBlock *block, const uint32_t *weights,
                   int groups, AmxSums *out);
void amx_sums_bf16(const AmxShape *shape, const AmxBlock *block, const uint32_t *weights,
                   int groups, AmxSums *out);
