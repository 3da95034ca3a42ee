/* infer_attention.h - attention of inference: the cells on the mask are gathered, so that small
 * boards in large buffers cost what they are; queries and keys are turned on the way; products run
 * on as many queries at once as stay in the cache. Threading: free functions without state. */
#pragma once
#include "nn/kernels/infer_kernels.h"

typedef struct {
    int samples, cells;
    AttentionShape shape;
    const float *x;         /* (samples, cells, queries, keys, values) */
    const float *rotations; /* cosine and sine of (cells, kv_heads, pairs); NULL: none */
    const float *mask;      /* (samples, cells); NULL: all on */
    float *y;               /* (samples, cells, heads * value_channels) */
    bool bf16;              /* products of bf16, where the processor has them */
    const InferKernels *kernels;
    float *scratch; /* attention_scratch() numbers, on a 64-byte boundary */
} AttentionCall;

size_t attention_scratch(AttentionShape shape, int cells);
void attention_run(const AttentionCall *call);
/* Only turns: y is as x. */
void attention_rotate(const AttentionCall *call);
