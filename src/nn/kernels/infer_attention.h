/* infer_attention.h - attention for inference. Only the cells on the mask are gathered, so that a
 * small board in a large buffer costs no more than it must. Queries and keys are rotated while they
 * are gathered. Threading: free functions without state. */
#pragma once
#include "nn/kernels/infer_kernels.h"

typedef struct {
    int samples, cells;
    AttentionShape shape;
    const float *x;         /* (samples, cells, queries, keys, values) */
    const float *rotations; /* cosine and sine of (cells, kv_heads, pairs); NULL: no rotation */
    const float *mask;      /* (samples, cells); NULL: all cells are on the board */
    float *y;               /* (samples, cells, heads * value_channels) */
    bool bf16;              /* multiply in bf16 if the processor can */
    const InferKernels *kernels;
    float *scratch; /* room for attention_scratch() floats, on a 64-byte boundary */
} AttentionCall;

size_t attention_scratch(AttentionShape shape, int cells);
void attention_run(const AttentionCall *call);
/* Only rotates queries and keys: y has the shape of x. */
void attention_rotate(const AttentionCall *call);
