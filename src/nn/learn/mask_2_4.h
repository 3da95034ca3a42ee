/* mask_2_4.h - masks that keep two of each four weights that stand side by side (Mishra et al.
 * 2021, "Accelerating Sparse Deep Neural Networks", section 3). `count`, the number of weights, is
 * a multiple of 4. A mask has one byte for each group of four weights; bit i says whether weight i
 * of the group is kept. Threading: free functions. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

size_t mask_2_4_bytes(size_t count);
/* Chooses the mask that keeps the two weights of each group with the largest absolute values. If
 * absolute values are equal, the earlier weights are kept. */
void mask_2_4_choose(size_t count, const float *weights, unsigned char *mask);
/* Multiplies the weights that are not kept by `factor`. If it is 0, they become 0, never -0. */
void mask_2_4_apply(size_t count, const unsigned char *mask, float factor, float *weights);
/* Sets to 0 the weights that mask_2_4_choose() would not keep. */
void mask_2_4_prune(size_t count, float *weights);
/* Whether each byte keeps exactly two weights. */
bool mask_2_4_is_valid(size_t count, const unsigned char *mask);
