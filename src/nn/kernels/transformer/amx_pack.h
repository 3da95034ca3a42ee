/* amx_pack.h - rounds matrices of f32 to bf16 and packs them for amx_gemm.h. A unit is a pair of
 * bf16; the first number is in the low bits. There are two forms:
 *   - rows (row, depth), for the left factor: the units of a row pair neighbours along the depth.
 *     The stride is a number of units.
 *   - panels (group of AMX_GEMM_LANES columns, unit, lane), for the right factor: the units pair
 *     neighbours along the depth, too.
 * In both forms the depth is rounded up to a multiple of AMX_GEMM_DEPTH numbers, and the pack
 * functions fill what is beyond the matrix with zeros. Call these functions only if amx_gemm_can().
 * Threading: free functions without state. */
#pragma once
#include <stddef.h>
#include <stdint.h>

/* A matrix x (rows, columns) in f32. Its elements are multiplied by `factor` before they are
 * rounded. */
typedef struct {
    const float *x;
    size_t rows, columns, stride;
    float factor;
} AmxMatrix;

/* Packs x as rows. The depth is that of the columns. `stride` is at least (columns + 31) / 32 *
 * 16. */
void amx_pack_rows(const AmxMatrix *from, size_t stride, uint32_t *to);
/* Packs the transpose of x as rows: to (columns, stride). The depth is that of the rows of x.
 * `stride` is at least (rows + 31) / 32 * 16. Rows are written up to a multiple of 16. */
void amx_pack_rows_transposed(const AmxMatrix *from, size_t stride, uint32_t *to);
/* Packs x as panels. The depth is that of the rows. A panel has `units` units in each lane, at
 * least (rows + 31) / 32 * 16. */
void amx_pack_panels(const AmxMatrix *from, size_t units, uint32_t *to);
/* Packs the transpose of x as panels, whose columns are the rows of x. The depth is that of the
 * columns of x. `units` is at least (columns + 31) / 32 * 16. */
void amx_pack_panels_transposed(const AmxMatrix *from, size_t units, uint32_t *to);
/* Computes y += the transpose of x (rows, columns), in f32, where y is (columns, rows). Both
 * numbers are multiples of 16. */
void amx_add_transposed(size_t rows, size_t columns, const float *x, float *y);
