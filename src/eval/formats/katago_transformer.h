/* katago_transformer.h - reads the transformer blocks and RMS norms of KataGo's nets and adds their
 * ops (cpp/neuralnet/desc.cpp). Threading: confined. */
#pragma once
#include "eval/formats/katago_layers.h"

/* These read a block and return what it adds to its input x; the caller adds the sum. `depth` is
 * not used: the functions have the form that katago_block() wants. */
Value katago_attention(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
Value katago_feed_forward(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
/* Reads the end of the trunk: RMS norm, bias and activation. Adds them and the mask. */
Value katago_rms_tip(KatagoLayers *layers, LayerPrefix prefix, Value x);

/* Sets the rates of KataGo's fixed rotary encoding, which rotates pairs of channels by rate times
 * place. The first half of the pairs is rotated in proportion to the row, the others in proportion
 * to the column. `rates`: (kv_heads, pairs, 2), where the last index is 0 for the column and 1 for
 * the row. */
void katago_fixed_rates(double theta, int kv_heads, int pairs, float *rates);
