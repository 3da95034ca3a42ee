/* The feed-forward layer of a transformer (Vaswani et al. 2017, section 3.3), which treats each
 * point by itself. A norm n of each point stands before it:
 *     y = x + W2 act(W1 n(x) + b1) + b2
 * lczero-training found square ReLU, relu(x)^2, to be the best activation here. */
#include "eval/arch/blocks/blocks.h"
#include "eval/arch/blocks/option_layers.h"
#include "eval/arch/blocks/transformer_parts.h"

Value block_ffn(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    int inner = builder_inner_channels(builder, options->inner, 2 * builder->settings->channels);
    Value y = option_norm(builder, options, index, "norm", x);
    y = transformer_feed_forward(builder, options, index, y, inner, NULL);
    return program_add(builder->program, x, y);
}
