/* attention_amx.h - one attention head of one sample with AMX, forward and backward
 * (nn/ops/attention/attention.c). Factors of products are rounded to bf16, sums are in f32. The
 * attention weights are not kept: backward computes them again from the logarithms of their sums
 * (Dao et al. 2022, "FlashAttention").
 * Threading: free functions without state. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

/* Queries, keys and values, and their gradients, have a row for each cell, `stride` elements apart.
 * The rows of y and dy are `y_stride` apart. */
typedef struct {
    size_t cells, query_channels, value_channels, stride, y_stride;
    const float *query, *key, *value;
    const float *mask;             /* (cells), 1 on the board; NULL: all cells are */
    float *y;                      /* written by forward; backward reads it */
    float *log_sums;               /* (cells), written by forward; backward reads them */
    const float *dy;               /* only for backward, as what follows */
    float *dquery, *dkey, *dvalue; /* backward adds to them */
} AttentionAmx;

bool attention_amx_can(void); /* whether backend_isa() has AMX */
/* Returns the number of floats that `scratch` must have. */
size_t attention_amx_scratch(size_t cells, size_t query_channels, size_t value_channels);
void attention_amx_forward(const AttentionAmx *head, float *scratch);
void attention_amx_backward(const AttentionAmx *head, float *scratch);
