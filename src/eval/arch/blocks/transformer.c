/* The two blocks of a transformer with norms before its layers (KataGo, version 1.17,
 * python/katago/train/model_pytorch.py). n is an RMS norm of each point (Zhang and Sennrich 2019),
 * or another norm by the option `norm`.
 * - Attention between the points (Vaswani et al. 2017). rotate() rotates each query and key by the
 *   place of its point (Su et al. 2021, "RoFormer"). Several heads of queries may share one head of
 *   keys and values (Ainslie et al. 2023):
 *       y = x + W_out attention(rotate(W_qkv n(x)))
 * - A gated layer, SwiGLU (Shazeer 2020, "GLU variants improve transformer"). The option
 *   `activation` puts another function in place of silu:
 *       y = x + W_down (silu(W_up n(x)) * W_gate n(x)) */
#include "eval/arch/blocks/blocks.h"
#include "eval/arch/blocks/option_layers.h"
#include "eval/arch/blocks/transformer_parts.h"

Value block_attention(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    Value y = option_norm(builder, options, index, "norm", x);
    y = transformer_attention(builder, options, index, y, NULL);
    return program_add(builder->program, x, y);
}

Value block_swiglu(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    Program *program = builder->program;
    int channels = builder->settings->channels;
    int inner = builder_inner_channels(builder, options->inner, (8 * channels / 3 + 7) / 8 * 8);
    double deviation = transformer_deviation(builder, false);
    Value n = option_norm(builder, options, index, "norm", x),
          up = program_dense(program, builder_layer(index, "up").text, n, inner, deviation),
          gate = program_dense(program, builder_layer(index, "gate").text, n, inner, deviation);
    BlockOptions own = *options;
    if (own.activation == BLOCK_ACTIVATION_AUTO) own.activation = BLOCK_ACTIVATION_SILU;
    up = option_activation(builder, &own, index, "up", up);
    Value y = program_dense(program, builder_layer(index, "down").text,
                            program_multiply(program, up, gate), channels,
                            transformer_deviation(builder, true));
    return program_add(program, x, y);
}
