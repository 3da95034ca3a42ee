/* conv_int8_amx.h - the part of conv_int8.h that computes a whole board with AMX. Threading: free
 * functions without state. */
#pragma once
#include "nn/kernels/conv/conv_amx.h"
#include "nn/kernels/conv/conv_int8_row.h"

/* Computes all rows of the board for all groups of output channels. `first` describes the first row
 * and the first group; its members count, wide and at are not used. Call this only if
 * amx_shape_init() has returned true for `shape`. */
void int8_board_amx(const Int8Row *first, const AmxShape *shape);
