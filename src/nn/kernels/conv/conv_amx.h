/* conv_amx.h - the sums of convolutions on small boards with AMX (Intel's Advanced Matrix
 * Extensions), for conv_int8.h and conv_bf16.h. Both store their boards and weights in units of
 * four bytes: four channels of int8, or two channels of bf16. A board with its border is stored as
 * (row, column, unit), and the weights as (group of AMX_LANES result channels, tap, unit, lane).
 * A board is divided into parts of at most AMX_CELLS_MAX neighbouring cells of a row. A block has
 * one or two parts, and its sums are computed together.
 * Threading: between amx_begin() and amx_end(), a thread must not call other code that uses AMX. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nn/kernels/conv/conv_amx_tiles.h"

enum { AMX_LANES = 16, AMX_CELLS_MAX = 16 };

typedef struct {
    int height, width, kernel;
    size_t units;        /* in a cell */
    size_t bordered_row; /* units in a row of the bordered board */
    int steps;           /* pieces of equal length in which the units of a cell are read */
    int cells[2];        /* of the first and of the second part of a block; 0: no second part */
    int blocks;          /* in the board */
} AmxShape;

/* A block: where its one or two parts begin in memory and on the board. */
typedef struct {
    const uint32_t *bordered[2]; /* where the first tap of the first cell reads */
    size_t cell[2];              /* the first cell, counted row by row without borders */
    int parts;
} AmxBlock;

/* The sums (part, group, cell, lane): integers for int8, floats for bf16. */
typedef union {
    int32_t whole[2][2][AMX_CELLS_MAX][AMX_LANES];
    float real[2][2][AMX_CELLS_MAX][AMX_LANES];
} AmxSums;

/* Fills in steps, cells and blocks of `shape` from its other members. Returns false if
 * backend_isa() has no AMX, or if another kernel is faster for this shape. */
bool amx_shape_init(AmxShape *shape);
/* Returns the block with this number. */
AmxBlock amx_block(const AmxShape *shape, const uint32_t *bordered, int number);
/* Sets the sizes of this thread's tiles. After the sums, call amx_end() (conv_amx_tiles.h). */
void amx_begin(const AmxShape *shape);
/* Computes the sums of a block for one or two groups. `weights` are those of the first group. */
void amx_sums_int8(const AmxShape *shape, const AmxBlock *block, const uint32_t *weights,
                   int groups, AmxSums *out);
void amx_sums_bf16(const AmxShape *shape, const AmxBlock *block, const uint32_t *weights,
                   int groups, AmxSums *out);
