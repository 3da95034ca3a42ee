/* rotary_avx512.h - rotates the pairs of channels of one head in one cell, in place
 * (nn/ops/attention/rotary.c). `turns` has the cosine and the sine of each pair. `count` is the
 * number of channels. Call these functions only if backend_isa() has AVX-512.
 * Threading: free functions without state. */
#pragma once
#include <stddef.h>

void rotary_rotate(size_t count, const float *turns, float *x);

/* Sums from which the gradients of the frequencies are computed. Each channel has two sums over the
 * cells. Their terms are the column, or the row, of the cell, times dy of this channel, times y of
 * the other channel of its pair. */
typedef struct {
    float column, row;     /* of the cell */
    float *columns, *rows; /* (count): the sums */
} RotarySums;
/* Turns dy into dx. `y` are the rotated channels. `sums` is NULL if they are not wanted. */
void rotary_rotate_back(size_t count, const float *turns, const float *y, const RotarySums *sums,
                        float *dy);
