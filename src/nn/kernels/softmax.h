/* softmax.h - the exponentials of a softmax. The caller divides by the sums. Threading: free
 * functions without state. */
#pragma once
#include <stdbool.h>

bool softmax_can(void); /* whether the functions exist, by backend_isa() */

/* x (rows, stride) becomes exp(x - maximum of the row), and 0 from `count` (at least 1) on; sums
 * (rows) are the sums of the exponentials. `stride` is `count` rounded up to a multiple of 16. The
 * relative error is below 1e-6, apart from the rounding of the difference. A NaN makes its row's
 * sum NaN. */
void softmax_exp(int rows, int count, int stride, float *x, float *sums);
/* Does the same but rounds to bf16: a row's values are the first `stride` bf16 of its place. Only
 * where gemm_can_bf16(). */
void softmax_exp_bf16(int rows, int count, int stride, float *x, float *sums);
