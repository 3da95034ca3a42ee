/* bf16.h - rounding of floats to bf16 (to nearest even; subnormal numbers become 0). The results
 * are stored as pairs: two bf16 in the place of one float, the first of them in the low bits. Call
 * these functions only if gemm_can_bf16() (gemm.h). Threading: free functions without state. */
#pragma once

/* Rounds `count` floats and stores them as count / 2 pairs of neighbours. `count` is a multiple of
 * 16; `pairs` may be `x`. */
void bf16_pack(const float *x, int count, float *pairs);
/* Rounds `count` floats of each input and stores `count` pairs: pair k consists of element k of
 * `first` and element k of `second`. `count` is a multiple of 16; `pairs` may be either input. */
void bf16_interleave(const float *first, const float *second, int count, float *pairs);
