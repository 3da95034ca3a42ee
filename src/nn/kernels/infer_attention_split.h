/* infer_attention_split.h - attention for inference with AMX, for nets in int8. Its products are
 * more exact than those of attention in bf16: each query, key and value is the sum of two bf16, so
 * that it has 16 significant bits. Of the two parts of queries and keys, three of the four products
 * are computed; the product of the two small parts is left out. Weights of the softmax are rounded
 * to bf16. Threading: free functions without state. A thread that runs attention_split_run() must
 * not have set tiles of AMX itself. */
#pragma once
#include "nn/kernels/infer_attention.h"

bool attention_split_can(void); /* whether backend_isa() has AMX */
/* Returns how many floats of scratch memory a call needs. */
size_t attention_split_scratch(AttentionShape shape, int cells);
/* Ignores the members bf16, int8, maps and kernels of the call; there must be no maps. */
void attention_split_run(const AttentionCall *call);
