/* attention_maps.h - the maps of attention: numbers of pairs of points, for each head, which are
 * added to logits or multiply weights (nn/ops/attention_terms.c). Threading: confined. */
#pragma once
#include "eval/arch/blocks/block_options.h"
#include "eval/arch/blocks/net_builder.h"

/* Adds attention to x, which holds queries, keys and values, with what the options say of maps and
 * tables. `input` is the input of the block, which generated maps read. */
Value attention_with_terms(NetBuilder *builder, const BlockOptions *options, int index,
                           AttentionShape shape, Value input, Value x);
