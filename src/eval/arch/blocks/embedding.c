/* The embedding: the block before the encoder layers in lczero-training (tfprocess.py). It is
 *     y = gates(act(x + b))
 * or, if the option `inner` is given, the larger form of 2024, with n and alpha as in encoder.c:
 *     e = gates(n(act(x + b))),   y = n(e + alpha (W2 act(W1 e + b1) + b2))
 * x is the input of the block, usually the output of the net's first layers. b, b1 and b2 are
 * biases, and act is the activation. The gates are gains and shifts that belong to places on the
 * board (nn/ops/place_gate.c), so that the net learns where a point lies. A block of kind `gate`
 * consists only of the gates.
 *
 * With the option `dense`, the position as a whole is added before the first activation ("dense"
 * embedding of lczero-training):
 *     x + b + W4 points(W3 stones + b3)
 * `stones` is one vector with the stones of both players at all points of a board of side x side.
 * W3 is a matrix. points() gives each point its `dense` numbers of the result, and W4 is a matrix
 * from these to all channels. (lczero-training joins these numbers with those of the input planes
 * before its first matrix, which is the same.) A smaller board uses the weights of the upper left
 * corner, and on a larger board points beyond the side have no such numbers. */
#include <math.h>

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

/* Returns Glorot's standard deviation of initial weights. */
static double glorot(int inputs, int outputs) {
    return sqrt(2.0 / (inputs + outputs));
}

/* Adds the dense layer over the stones at all points. */
static Value add_dense(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    enum { FIRST = 1, PLAYERS = 2 }; /* the planes of the stones (nn/ops/stones.h) */
    Program *program = builder->program;
    int points = options->side * options->side, channels = builder->settings->channels;
    Value stones = program_slice(program, builder->planes, FIRST, PLAYERS),
          all = program_add_op(
              program, "",
              (Op){.kind = OP_POINTS_VECTOR, .inputs = {stones}, .side = options->side});
    all = program_dense(program, builder_layer(index, "dense").text, all, points * options->dense,
                        glorot(points * PLAYERS, points * options->dense));
    all = program_bias(program, builder_layer(index, "densebias").text, all);
    all = program_add_op(program, "",
                         (Op){.kind = OP_VECTOR_POINTS, .inputs = {all}, .side = options->side});
    all = program_dense(program, builder_layer(index, "densemap").text, all, channels,
                        glorot(options->dense, channels));
    return program_add(program, x, all);
}

Value block_embedding(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    BlockOptions own = *options;
    if (own.norm == ROW_NORM_AUTO) own.norm = ROW_NORM_LAYER;
    const DeepNorm deep = deep_norm_of(builder);
    x = program_bias(builder->program, builder_layer(index, "bias").text, x);
    if (own.dense) x = add_dense(builder, &own, index, x);
    x = option_activation(builder, &own, index, "bias", x);
    if (own.inner) x = option_norm(builder, &own, index, "norm1", x);
    x = block_gate(builder, &own, index, x);
    if (!own.inner) return x;
    Value f = transformer_feed_forward(builder, &own, index, x, own.inner, &deep);
    return transformer_post_norm(builder, &own, index, "norm2", x, f);
}
