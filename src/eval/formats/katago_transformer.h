/* katago_transformer.h - reads the transformer blocks and RMS norms of KataGo's nets and adds their
 * ops (cpp/neuralnet/desc.cpp). Threading: confined. */
#pragma once
#include "eval/formats/katago_layers.h"

/* These read a block and return the output of its branch, without the op that adds this output to
 * the input x; the caller adds that op. `depth` is not used: the functions have the form that
 * katago_block() wants. */
Value katago_attention(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
Value katago_feed_forward(KatagoLayers *layers, LayerPrefix prefix, Value x, int depth);
/* Reads the end of the trunk: RMS norm, bias and activation. Adds them and the mask. */
Value katago_rms_tip(KatagoLayers *layers, LayerPrefix prefix, Value x);
