/* learn_chain.h - y = relu(gain[c] * x + bias[c]) on the board, 0 off it: what the ops scale, bias,
 * activation and mask do one after another, in one pass over memory, with the same sums in the same
 * order. Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t rows, channels;
    const float *x, *gain, *bias; /* gain NULL: 1 */
    const float *mask;            /* (rows); NULL: 1 everywhere */
    float *y;
    const float *dy;
    float *dx;                            /* what the chain reads wants a gradient */
    bool add;                             /* to dx; else it is written */
    float *gain_gradient, *bias_gradient; /* added to */
} ChainCall;

void chain_forward(const ChainCall *call);
void chain_backward(const ChainCall *call);
