/* infer_attention.h - attention for inference. It computes only the cells on the mask, so the
 * unused cells of a large buffer cost almost nothing. Queries and keys can be rotated (rotary
 * position embedding). Threading: free functions without state. */
#pragma once
#include "nn/kernels/infer_kernels.h"

typedef struct {
    int samples, cells;
    AttentionShape shape;
    const float *x;         /* (samples, cells, queries, keys, values) */
    const float *rotations; /* (cells, kv_heads, pairs, cosine and sine); NULL means no rotation */
    const float *mask;      /* (samples, cells); NULL means that all cells are on the board */
    float *y;               /* (samples, cells, heads * value_channels) */
    bool bf16;              /* multiply in bf16 if the processor can */
    bool int8;              /* multiply in integers if attention_int8_can() */
    const InferKernels *kernels;
    float *scratch; /* room for attention_scratch() floats, on a 64-byte boundary */
} AttentionCall;

/* Whether attention may run in integers where the net runs in int8: the sums fit 32 bits, and the
 * processor lacks AVX-512. There AVX2 multiplies 16 bits, so that factors can have 11 to 15 bits.
 * With AVX-512 attention stays in bf16 or f32. */
bool attention_int8_can(AttentionShape shape, int cells);
size_t attention_scratch(AttentionShape shape, int cells); /* floats that a call needs */
void attention_run(const AttentionCall *call);
/* Only rotates queries and keys, and copies the values. y has the shape of x. */
void attention_rotate(const AttentionCall *call);
