/* learn_attention.h - attention for training by matrix products. It computes what the op defines
 * (nn/ops/attention.c) for each head of each sample, where P are the weights of the softmax and S
 * the products of queries and keys:
 *     forward     S = Q K'    P = softmax(S)    Y = P V
 *     backward    dV = P' dY    dP = dY V'    dQ = dS K    dK = dS' Q
 * Threading: free functions; calls at the same time need different scratch memory. */
#pragma once
#include "nn/ops/op.h"

bool learn_attention_can(void); /* whether this processor has fast products */
size_t learn_attention_scratch(const Op *op, int cells); /* floats that a call needs */
void learn_attention_forward(const OpCall *call, float *scratch);
void learn_attention_backward(const OpCall *call, float *scratch);
