/* learn_chain.h - the ops scale, bias, activation and mask in one pass over memory, with the same
 * sums in the same order:
 *     y = relu(gain[c] * x + bias[c]) on the board, 0 off it
 * Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t rows, channels;
    const float *x, *gain, *bias; /* gain NULL: 1 */
    const float *mask;            /* (rows); NULL: 1 everywhere */
    float *y;
    const float *dy;
    float *dx;                            /* never NULL: the input of a chain wants a gradient */
    bool add;                             /* add to dx; else write it */
    float *gain_gradient, *bias_gradient; /* added to */
} ChainCall;

void chain_forward(const ChainCall *call);
void chain_backward(const ChainCall *call);
