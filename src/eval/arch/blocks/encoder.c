/* A layer of an encoder with its norms behind the sums (Vaswani et al. 2017, figure 1), as
 * lczero-training has them:
 *     z = n(x + alpha attention(x)),   y = n(z + alpha (W2 act(W1 z + b1) + b2))
 * n is a layer norm of each point, or an RMS norm by the option `norm`. alpha and the initial
 * weights go by the number L of such layers, which lets deep nets learn (Wang et al. 2022,
 * "DeepNet: scaling transformers to 1,000 layers", with encoders alone):
 *     alpha = (2 L)^(-1/4),   beta = (8 L)^(-1/4)
 * DeepNet multiplies x by 1 / alpha, which is the same but for the epsilon of the norm. The initial
 * weights of values, of the matrix behind the attention, and of W1 and W2 have the variance
 *     2 beta / (inputs + outputs)
 * and those of queries and keys the same without beta. This is lczero-training's form
 * (tfprocess.py); DeepNet has the square of beta. */
#include "eval/arch/blocks/blocks.h"
#include "eval/arch/blocks/transformer_parts.h"

Value block_encoder(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    int inner = builder_inner_channels(builder, options->inner, 2 * builder->settings->channels);
    const DeepNorm deep = deep_norm_of(builder);
    BlockOptions own = *options;
    if (own.norm == ROW_NORM_AUTO) own.norm = ROW_NORM_LAYER;
    Value a = transformer_attention(builder, &own, index, x, &deep);
    x = transformer_post_norm(builder, &own, index, "norm1", x, a);
    Value f = transformer_feed_forward(builder, &own, index, x, inner, &deep);
    return transformer_post_norm(builder, &own, index, "norm2", x, f);
}
