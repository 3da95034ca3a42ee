/* katago_transformer.h - transformer blocks and RMS norms of KataGo's nets, from file to ops
 * (cpp/neuralnet/desc.cpp). What a block adds to its input is returned. Threading: confined. */
#pragma once
#include "eval/katago_layers.h"

Value katago_attention(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
Value katago_feed_forward(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
/* RMS norm, bias, activation, mask: the end of the trunk. */
Value katago_rms_tip(KatagoLayers *layers, LayerPrefix prefix, Value x);

/* KataGo's fixed encoding: the first half of the pairs turn by the row, the others by the column.
 * `rates`: (kv_heads, pairs, 2), of the column and the row. */
void katago_fixed_rates(double theta, int kv_heads, int pairs, float *rates);
