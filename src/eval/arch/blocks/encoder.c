/* A layer of a transformer's encoder, as in lczero-training. A norm follows each of the two sums
 * ("post-norm", Vaswani et al. 2017, figure 1):
 *     z = n(x + alpha attention(x)),   y = n(z + alpha (W2 act(W1 z + b1) + b2))
 * n is a layer norm of each point or, by the option `norm`, an RMS norm. By the option `dropout`,
 * training drops a fraction of the outputs of the attention and of W2, before alpha multiplies
 * them. alpha and the initial weights depend on L, the number of encoder layers in the net. This
 * lets deep nets learn (Wang et al. 2022, "DeepNet: scaling transformers to 1,000 layers", for nets
 * that have only an encoder):
 *     alpha = (2 L)^(-1/4),   beta = (8 L)^(-1/4)
 * DeepNet multiplies x by 1 / alpha, and does not multiply the other term by alpha. After the norm,
 * the result is the same, except for the effect of the norm's epsilon. The initial weights of four
 * matrices have the variance
 *     2 beta / (inputs + outputs)
 * where `inputs` and `outputs` are the numbers of inputs and outputs of the matrix. The four
 * matrices are the matrix of the values, the matrix after the attention, W1 and W2. The matrix that
 * the option `process` adds has this variance too. For the matrices of queries and keys the factor
 * beta is missing. This is lczero-training's form (tfprocess.py); in DeepNet the factor is the
 * square of beta. */
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
