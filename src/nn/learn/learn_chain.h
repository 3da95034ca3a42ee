/* learn_chain.h - runs the ops scale, bias, relu and mask in one pass over memory:
 *     y = relu(gain[c] * x + bias[c]) on the board, 0 off it
 * It computes the same sums in the same order as the separate ops.
 * Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
    size_t rows, channels;
    const float *x, *gain, *bias; /* gain and bias (channels); gain NULL: 1 everywhere */
    const float *mask;            /* (rows); NULL: 1 everywhere */
    float *y;
    const float *dy;
    float *dx; /* never NULL, because chains are used only where dx is wanted */
    bool add;  /* add to dx instead of overwriting it */
    float *gain_gradient, *bias_gradient; /* backward adds to them */
} ChainCall;

void chain_forward(const ChainCall *call);
void chain_backward(const ChainCall *call);
