/* int8_gemm.h - products of two matrices of f32 that are rounded to int8 on the way. Every row of
 * the left factor and every column of the right one has a scale of its own, which comes from its
 * largest magnitude, so no scale has to be known beforehand ("vector-wise quantisation", Dettmers
 * et al. 2022, "LLM.int8()"):
 *     a[i][k] ~ p[i][k] s[i],   b[k][j] ~ q[k][j] t[j],   (a b)[i][j] ~ s[i] t[j] sum_k p q
 * The sums are exact in 32 bits, so every instruction set gives the same sums. Activations are the
 * left factor and weights are the right one; in attention, queries and probabilities stand left,
 * keys and values right.
 * There are kernels for AVX512_VNNI and for AVX2. Elsewhere the definition in plain C runs.
 * Threading: free functions without state. */
#pragma once
#include "nn/kernels/int8_gemm_call.h"

/* Returns how many floats of memory a factor needs, and places a factor in such memory. The memory
 * begins on a 64-byte boundary and belongs to the caller. */
size_t int8_rows_room(int rows, int depth);
size_t int8_columns_room(int depth, int columns);
Int8Rows int8_rows_place(int rows, int depth, float *room);
Int8Columns int8_columns_place(int depth, int columns, float *room);

/* Rounds the rows of x (rows, stride), where rows->rows is at most the number that was placed. */
void int8_rows_set(Int8Rows *rows, Int8RowsKind kind, const float *x, size_t stride);

/* Sets the rows to exp(x - maximum of the row), rounded to multiples of 1/255, or without bytes of
 * 1/INT8_GEMM_SOFTMAX. sums[row] is the sum of the rounded values, by which a softmax is divided.
 * The exponentials have an error of up to 1e-4 before they are rounded. A row that is not finite
 * makes arbitrary values. */
void int8_rows_softmax(Int8Rows *rows, const float *x, size_t stride, float *sums);

/* Returns a scale for a column whose element k is x[k * stride], which must be finite. It is the
 * one of a few candidates that has the smallest squared error, because to clip the largest values a
 * little may reduce the error. */
float int8_column_scale(int depth, const float *x, size_t stride);
/* Rounds column j of `columns`, with a scale > 0. */
void int8_columns_set(Int8Columns *columns, int j, const float *x, size_t stride, float scale);
/* Sets the columns that only pad the last group to 0. Call it before int8_gemm(). */
void int8_columns_pad(Int8Columns *columns);

void int8_gemm(const Int8GemmCall *call);
