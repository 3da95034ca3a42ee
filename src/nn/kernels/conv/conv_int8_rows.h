/* conv_int8_rows.h - the part of conv_int8.h that computes a part of a row of a board, for 1 to 3
 * groups of 16 output channels. Threading: free functions without state. */
#pragma once
#include "nn/kernels/conv/conv_int8_row.h"

void int8_row_plain(const Int8Row *row);
void int8_row_vnni(const Int8Row *row); /* only where backend_isa() has VNNI */
