/* katago_transformer.h - transformer blocks and RMS norms of KataGo's nets, from file to ops
 * (cpp/neuralnet/desc.cpp). What a block adds to its input is returned. Threading: confined. */
#pragma once
#include "eval/katago_layers.h"

Value katago_attention(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
Value katago_feed_forward(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
/* RMS norm, bias, activation, mask: the end of the trunk. */
Value katago_rms_tip(KatagoLayers *layers, LayerPrefix prefix, Value x);
