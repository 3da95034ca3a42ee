/* infer_attention.h - attention for inference. It computes only the cells on the mask, so the cells
 * of a large buffer that lie off the board cost almost nothing. Queries and keys can be rotated
 * (rotary position embedding), and maps can add terms to the logits and factors to the weights
 * (nn/ops/attention/attention_terms.c). Threading: free functions without state. */
#pragma once
#include "nn/kernels/infer_attention_maps.h"

typedef struct {
    int samples, cells;
    AttentionShape shape;
    const float *x;         /* (samples, cells, c): queries, then keys, then values */
    const float *rotations; /* (cells, kv_heads, pairs, cosine and sine); NULL means no rotation */
    const float *mask;      /* (samples, cells); NULL means that all cells are on the board */
    float *y;               /* (samples, cells, heads * value_channels); 0 off the mask */
    bool bf16;              /* multiply in bf16 if the processor can */
    bool int8;              /* multiply in integers if attention_int8_can(); not with maps */
    const AttentionMaps *maps;   /* NULL: none */
    const InferKernels *kernels; /* used where gemm.h and softmax.h cannot run */
    float *scratch;              /* room for attention_scratch() floats, on a 64-byte boundary */
} AttentionCall;

/* Whether attention may run in integers when the net runs in int8: the sums must fit 32 bits, and
 * backend_isa() must be below AVX-512. Below AVX-512, int8_gemm.h multiplies integers of 16 bits,
 * so the factors can have 11 to 15 bits. With AVX-512, attention stays in bf16 or f32. */
bool attention_int8_can(AttentionShape shape, int cells);
/* Returns how many floats of scratch memory a call needs. `maps`: the form of the maps; without maps
 * its `rows` are 0. */
size_t attention_scratch(AttentionShape shape, AttentionMapShape maps, int cells);
void attention_run(const AttentionCall *call);
/* Writes x to y with its queries and keys rotated. y has the shape of x. */
void attention_rotate(const AttentionCall *call);
