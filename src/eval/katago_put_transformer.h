/* katago_put_transformer.h - KataGo's transformer blocks and the RMS norm at the tip, found among
 * the ops of a net and written (cpp/neuralnet/desc.cpp). Threading: confined. */
#pragma once
#include "eval/katago_parts.h"

/* What a transformer block adds, from its kind to its last layer. */
void katago_put_attention(KatagoParts *parts, Value x, Value branch);
void katago_put_feed_forward(KatagoParts *parts, Value x, Value branch);
void katago_put_rms_tip(KatagoParts *parts, const KatagoNorm *tip);
