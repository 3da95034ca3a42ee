/* The embedding: the block before the encoder layers in lczero-training (tfprocess.py). It is
 *     y = gates(act(x + b))
 * or, if the option `inner` is given, the larger form of 2024, with n and alpha as in encoder.c:
 *     e = gates(n(act(x + b))),   y = n(e + alpha (W2 act(W1 e + b1) + b2))
 * x is the input of the block, usually the output of the net's first layers. b, b1 and b2 are
 * biases, and act is the activation. The gates are gains and shifts that belong to places on the
 * board (nn/ops/place_gate.c), so that the net learns where a point lies. A block of kind `gate`
 * consists only of the gates. */
#include "eval/arch/blocks/blocks.h"
#include "eval/arch/blocks/option_layers.h"
#include "eval/arch/blocks/transformer_parts.h"

Value block_gate(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    const Op gate = {.kind = OP_PLACE_GATE,
                     .inputs = {x},
                     .side = options->side,
                     .edges = options->places == PLACES_EDGES,
                     .gate = (GateKind)options->gate};
    return program_add_op(builder->program, builder_layer(index, "gate").text, gate);
}

Value block_embedding(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    BlockOptions own = *options;
    if (own.norm == ROW_NORM_AUTO) own.norm = ROW_NORM_LAYER;
    const DeepNorm deep = deep_norm_of(builder);
    x = program_bias(builder->program, builder_layer(index, "bias").text, x);
    x = option_activation(builder, &own, index, "bias", x);
    if (own.inner) x = option_norm(builder, &own, index, "norm1", x);
    x = block_gate(builder, &own, index, x);
    if (!own.inner) return x;
    Value f = transformer_feed_forward(builder, &own, index, x, own.inner, &deep);
    return transformer_post_norm(builder, &own, index, "norm2", x, f);
}
