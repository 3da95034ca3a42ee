/* learn_attention_layers.h - attention with the dense layers around it, for training with AMX, as
 * one step:
 *     y = out (attention (rotary (qkv x))),
 * where rotary may be missing. Samples run in groups, so that queries, keys and values stay in the
 * L2 cache. They are not kept: backward computes them again, which takes less time than to read
 * them from memory. Threading: confined. */
#pragma once
#include "nn/kernels/transformer/dense_amx.h"
#include "nn/ops/op.h"

/* The layers, and their calls. The call of qkv has x and dx, that of attention has y, which is
 * kept, and `saved`, and that of out has y and dy. */
typedef struct {
    DenseAmx *qkv, *out;
    const OpCall *qkv_call, *rotary_call /* or NULL */, *attention_call, *out_call;
} LearnAttentionLayers;

/* Returns the number of floats that a call needs. */
size_t learn_attention_layers_scratch(const LearnAttentionLayers *layers);
/* `kept`: see learn_matrix.h. */
void learn_attention_layers_forward(const LearnAttentionLayers *layers, bool kept, float *scratch);
void learn_attention_layers_backward(const LearnAttentionLayers *layers, bool kept, float *scratch);
