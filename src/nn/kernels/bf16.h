/* bf16.h - numbers as pairs of bf16 in the place of one, the first in the lower half; rounded to
 * nearest even. Where gemm_can_bf16(). Threading: free functions without state. */
#pragma once

/* `count` numbers, by 16, to half as many pairs; in place or not. */
void bf16_pack(const float *x, int count, float *pairs);
/* Number k of `first` and that of `second` to pair k; `count` by 16; `pairs` may be either. */
void bf16_interleave(const float *first, const float *second, int count, float *pairs);
