/* int8_gemm.h - products of two matrices of f32. Both matrices are rounded to int8 before they are
 * multiplied, or to integers of more bits where int8_gemm_call.h says so. Every row of the left
 * factor and every column of the right factor has a scale of its own ("vector-wise quantisation",
 * Dettmers et al. 2022, "LLM.int8()"). Rows of values from 0 to 1 have a fixed scale. All other
 * scales follow from the values of their row or column. So no scale has to be known beforehand:
 *     a[i][k] ~ p[i][k] s[i],   b[k][j] ~ q[k][j] t[j],
 *     (a b)[i][j] ~ s[i] t[j] (sum over k of p[i][k] q[k][j])
 * The sums over k are exact in 32 bits if the depth is within the limits of int8_gemm_call.h. So
 * every instruction set gives the same sums for the same integers. Activations are the left factor
 * and weights are the right one. In attention, queries and attention weights are left factors, keys
 * and values right ones.
 * There are kernels for AMX, AVX512_VNNI and AVX2. Elsewhere the definition in plain C runs.
 * Threading: free functions without state. */
#pragma once
#include "nn/kernels/int8/int8_gemm_call.h"

/* The first three return how many floats of memory a factor needs. The last two place a factor in
 * such memory, which begins on a 64-byte boundary and belongs to the caller. */
size_t int8_rows_room(int rows, int depth);
size_t int8_columns_room(int depth, int columns);
size_t int8_columns_room_fine(int depth, int columns); /* if Int8Columns.fine will be set */
Int8Rows int8_rows_place(int rows, int depth, float *room);
Int8Columns int8_columns_place(int depth, int columns, float *room);

/* Rounds the first `depth` elements of each row of x (rows, stride). rows->rows is at most the
 * number of rows that were placed. */
void int8_rows_set(Int8Rows *rows, Int8RowsKind kind, const float *x, size_t stride);

/* Sets the rows to exp(x - maximum of the row), rounded to multiples of 1/255 if rows->bytes is
 * set, and of 1/INT8_GEMM_SOFTMAX otherwise. sums[row] is the sum of the rounded values; divide by
 * it to get a softmax. The exponentials have an error of up to 1e-4 before they are rounded. If an
 * element of a row of x is not finite, the results of this row are arbitrary. */
void int8_rows_softmax(Int8Rows *rows, const float *x, size_t stride, float *sums);

/* Returns a scale for rounding a column to integers from -127 to 127, so not for columns with
 * Int8Columns.wide. Element k of the column is x[k * stride], which must be finite. The function
 * tries a few scales and takes the scale with the smallest squared error. Most of these scales are
 * so small that the largest values are clipped a little, which may reduce the error. */
float int8_column_scale(int depth, const float *x, size_t stride);
/* Returns a scale for a column of Int8Columns.fine: its largest magnitude becomes
 * INT8_GEMM_FINE. */
float int8_column_scale_fine(int depth, const float *x, size_t stride);
/* Rounds the column x[k * stride] with a scale > 0, and stores it as column j. */
void int8_columns_set(Int8Columns *columns, int j, const float *x, size_t stride, float scale);
/* Fills the last group up with columns of zeros. Call it before int8_gemm(). */
void int8_columns_pad(Int8Columns *columns);

void int8_gemm(const Int8GemmCall *call);
