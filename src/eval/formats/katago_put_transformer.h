/* katago_put_transformer.h - finds KataGo's transformer blocks and the RMS norm at the tip among
 * the ops of a net and writes them (cpp/neuralnet/desc.cpp). Threading: confined. */
#pragma once
#include "eval/formats/katago_parts.h"

/* These write a transformer block, from its kind to its last layer. `x` is the block's input, and
 * `branch` is what the block adds to x. */
void katago_put_attention(KatagoParts *parts, Value x, Value branch);
void katago_put_feed_forward(KatagoParts *parts, Value x, Value branch);
/* Writes the RMS norm at the end of the trunk, with its bias and activation. */
void katago_put_rms_tip(KatagoParts *parts, const KatagoNorm *tip);
