/* The two blocks of a transformer whose norms stand before its layers ("pre-norm"; KataGo, version
 * 1.17, python/katago/train/model_pytorch.py). n is an RMS norm of each point (Zhang and Sennrich
 * 2019) or, by the option `norm`, a layer norm.
 * - Attention between the points (Vaswani et al. 2017). Queries and keys are rotated by angles that
 *   depend on the place of their point (Su et al. 2021, "RoFormer"), unless the option `rotary` is
 *   `none`. Several heads of queries may share one head of keys and values (Ainslie et al. 2023):
 *       y = x + W_out attention(rotate(W_qkv n(x)))
 * - A gated layer, SwiGLU (Shazeer 2020, "GLU variants improve transformer"):
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
    Value n = option_norm(builder, options, index, "norm", x),
          up = program_dense(program, builder_layer(index, "up").text, n, inner,
                             transformer_deviation()),
          gate = program_dense(program, builder_layer(index, "gate").text, n, inner,
                               transformer_deviation());
    up = program_activation(program, up, ACTIVATION_SILU);
    Value y = program_dense(program, builder_layer(index, "down").text,
                            program_multiply(program, up, gate), channels, transformer_deviation());
    return program_add(program, x, y);
}
