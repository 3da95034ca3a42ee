/* attention_shape.h - checks the AttentionShape of an op, and counts the channels of an input row
 * that holds queries, keys and values. Threading: free functions without state. */
#pragma once
#include "nn/ops/op.h"

_Static_assert(sizeof(AttentionShape) == 4 * sizeof(int), "its text is a list of four numbers");

/* The message for an input whose number of channels is not attention_channels(). */
#define ATTENTION_MISFIT                                                                           \
    "attention needs a spatial input with the channels of its queries, keys and values, and its "  \
    "heads must be a multiple of its kv_heads"

/* Returns the channels of queries, keys and values together. Returns 0 if the input is not spatial,
 * if a number in op->attention is out of range, or if `heads` is no multiple of `kv_heads`. */
static inline int attention_channels(const Op *op) {
    enum { HEADS_MAX = 256, HEAD_CHANNELS_MAX = 4096 };
    AttentionShape a = op->attention;
    if (op->shape != KIND_SPATIAL || a.kv_heads < 1 || a.heads < a.kv_heads ||
        a.heads > HEADS_MAX || a.heads % a.kv_heads != 0 || a.query_channels < 1 ||
        a.query_channels > HEAD_CHANNELS_MAX || a.value_channels < 1 ||
        a.value_channels > HEAD_CHANNELS_MAX)
        return 0;
    return (a.heads + a.kv_heads) * a.query_channels + a.kv_heads * a.value_channels;
}

/* Whether two ops have the same heads. An op rotary and the attention behind it may differ: a net
 * file may hold a rotary op with other heads that have the same number of channels in all. */
static inline bool attention_same_heads(AttentionShape a, AttentionShape b) {
    return a.heads == b.heads && a.kv_heads == b.kv_heads && a.query_channels == b.query_channels &&
           a.value_channels == b.value_channels;
}

/* Writes the cosine and the sine of each angle of the op rotary to OpCall.saved: (cells, kv_heads,
 * pairs, 2). */
void rotary_find_turns(const OpCall *call);
