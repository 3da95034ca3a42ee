/* katago_transformer.h - reads the transformer blocks and RMS norms of KataGo's nets and adds their
 * ops (cpp/neuralnet/desc.cpp). Functions for blocks return what the block adds to its input,
 * without the sum. Threading: confined. */
#pragma once
#include "eval/formats/katago_layers.h"

Value katago_attention(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
Value katago_feed_forward(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
/* The end of the trunk: RMS norm, bias, activation and mask. */
Value katago_rms_tip(KatagoLayers *layers, LayerPrefix prefix, Value x);

/* KataGo's fixed rotary encoding: the first half of the pairs is rotated in proportion to the row,
 * the others in proportion to the column. `rates`: (kv_heads, pairs, 2), for column and row. */
void katago_fixed_rates(double theta, int kv_heads, int pairs, float *rates);
