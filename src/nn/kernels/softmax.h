/* softmax.h - the exponentials of a softmax. The caller divides by the sums. Threading: free
 * functions without state. */
#pragma once
#include <stdbool.h>

bool softmax_can(void); /* whether backend_isa() has what softmax_exp() needs */

/* Replaces the first `count` elements (at least 1) of each row of x (rows, stride) by exp(x -
 * maximum of these elements), and the rest by 0. Writes the sums of the exponentials to sums
 * (rows). `stride` is `count` rounded up to a multiple of 16. The relative error is below 1e-6,
 * apart from the rounding of the difference x - maximum. A NaN in a row makes the sum of this row
 * NaN. */
void softmax_exp(int rows, int count, int stride, float *x, float *sums);
/* Does the same, but then rounds the exponentials to bf16, which fill the first half of each row.
 * The sums are those of the exponentials before they are rounded. Call it only if gemm_can_bf16()
 * (gemm.h). */
void softmax_exp_bf16(int rows, int count, int stride, float *x, float *sums);
