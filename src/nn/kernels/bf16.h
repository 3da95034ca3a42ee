/* bf16.h - rounds floats to bf16 (to nearest even) and stores them as pairs: two bf16 in the place
 * of one float, the first in its low bits. Only where gemm_can_bf16(). Threading: free functions
 * without state. */
#pragma once

/* Rounds `count` floats, a multiple of 16, to count / 2 pairs of neighbours. May work in place. */
void bf16_pack(const float *x, int count, float *pairs);
/* Pair k is made of element k of `first` and element k of `second`. `count` is a multiple of 16;
 * `pairs` may be either input. */
void bf16_interleave(const float *first, const float *second, int count, float *pairs);
