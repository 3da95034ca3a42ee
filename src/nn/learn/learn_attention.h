/* learn_attention.h - attention for training by matrix products. It computes what the op defines
 * (nn/ops/attention/attention.c). For each head of each sample, Q, K, V and Y are its queries,
 * keys, values and results, with a row for each cell, and ' means the transpose:
 *     forward     S = Q K' / sqrt(channels of a query)    P = softmax(S)    Y = P V
 *     backward    dV = P' dY    dP = dY V'    dQ = dS K    dK = dS' Q
 * where dS is the gradient of Q K'. It is computed from P and dP by find_slopes().
 * Threading: free functions; calls at the same time need different scratch memory. */
#pragma once
#include "nn/ops/op.h"

bool learn_attention_can(void); /* whether this processor has fast products */
size_t learn_attention_scratch(const Op *op, int cells); /* floats that a call needs */
void learn_attention_forward(const OpCall *call, float *scratch);
void learn_attention_backward(const OpCall *call, float *scratch);
