/* learn_attention.h - attention for training by matrix products. It computes what the ops
 * attention (nn/ops/attention/attention.c) and attention_maps without tables
 * (nn/ops/attention/attention_terms.c) define. For each head of each sample, Q, K, V and Y are its
 * queries, keys, values and results, with a row for each cell, and ' means the transpose:
 *     forward     S = Q K' / sqrt(channels of a query) + B    P = softmax(S)
 *                 W = P (1 + M)    Y = W V
 *     backward    dV = W' dY    dW = dY V'    dM = dW P    dP = dW (1 + M)    dB = dS
 *                 dQ = dS K / sqrt(channels of a query)    dK = dS' Q / sqrt(channels of a query)
 * B and M are maps, P (1 + M) and the like are products element by element, and dS is the gradient
 * of S. It is computed from P and dP by find_slopes(). For maps of vectors, which are u for queries
 * and v for keys, with the matrices U and V* of all points,
 *     B = U V*'    dU = dB V*    dV* = dB' U
 * With `bf16` the factors of all these products of matrices are rounded to bf16. Sums, the softmax
 * and what is computed element by element stay in f32. With AMX, attention in bf16 runs by
 * attention_amx.h.
 * Threading: free functions; calls at the same time need different scratch memory. */
#pragma once
#include "nn/ops/op.h"

/* Whether the op is one of these, and this processor has fast products; and whether it also has
 * fast products in bf16. */
bool learn_attention_can(const Op *op);
bool learn_attention_can_bf16(void);
size_t learn_attention_scratch(const Op *op, int cells); /* floats that a call needs */
/* Floats in OpCall.saved, of which attention with AMX needs fewer than the definition. */
size_t learn_attention_saved(const Op *op, int n, int cells, bool bf16);
/* `bf16`: only if learn_attention_can_bf16() */
void learn_attention_forward(const OpCall *call, bool bf16, float *scratch);
void learn_attention_backward(const OpCall *call, bool bf16, float *scratch);
