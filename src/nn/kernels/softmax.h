/* softmax.h - the exponentials of a softmax. Threading: free function without state. */
#pragma once
#include <stdbool.h>

bool softmax_can(void); /* whether it is there, by backend_isa() */

/* x (rows, stride) becomes exp(x - the row's largest), 0 from `count` (at least 1) on; sums (rows)
 * of them. stride: `count` to a multiple of 16. Relative error below 1e-6 beside what rounding the
 * difference costs; NaN stays in the sum. */
void softmax_exp(int rows, int count, int stride, float *x, float *sums);
/* The same rounded to bf16: a row's numbers are the first `stride` halves of its place. Where
 * gemm_can_bf16(). */
void softmax_exp_bf16(int rows, int count, int stride, float *x, float *sums);
