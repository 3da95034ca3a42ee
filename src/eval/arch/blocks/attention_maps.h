/* attention_maps.h - attention with maps. A map belongs to a head and has a number for each pair of
 * points. The number is added to the logit of the pair, or multiplies its weight
 * (nn/ops/attention/attention_terms.c). Threading: confined. */
#pragma once
#include "eval/arch/blocks/block_options.h"
#include "eval/arch/blocks/net_builder.h"

/* Adds attention with the maps and tables that the options ask for (BLOCK_FIELDS explains them). x
 * holds queries, keys and values. Generated maps are computed from `input`, the input of the
 * attention layer. */
Value attention_with_terms(NetBuilder *builder, const BlockOptions *options, int index,
                           AttentionShape shape, Value input, Value x);
