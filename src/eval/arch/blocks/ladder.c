/* Ladder blocks (GoNN, model.py, ladder_block), which can follow ladders along the diagonals:
 *     y = x + W3 diagonals(a(W1 a(x)), W2 a(x))
 * a is norm, activation and mask. W1 gives the values that run along the diagonals. W2, which has a
 * bias, gives logits. The logit of a point decides to what extent the value of the point replaces
 * the value that comes from the points before it on its diagonal (nn/ops/diagonals.c). For each of
 * the four directions there are as many channels as the option `inner` says (6 by default). W3 is a
 * 1 x 1 convolution. With the option `gate_norm` the norm of the net follows W2 in place of its
 * bias, as in GoNN. */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

enum { USUAL_CHANNELS = 6, DIRECTIONS = 4 };

Value block_ladder(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    Program *program = builder->program;
    int inner = DIRECTIONS * (options->inner ? options->inner : USUAL_CHANNELS);
    double deviation = builder_first_deviation(builder, 1, 1);
    Value a = builder_norm(builder, builder_layer(index, "norm1").text, x, PLACE_OTHER,
                           builder_variance(builder, index));
    Value values = program_conv(program, builder_layer(index, "conv1").text, a, inner,
                                options->kernel, deviation);
    values = builder_norm(builder, builder_layer(index, "norm2").text, values, PLACE_LAST, 1);
    Value logits = program_conv(program, builder_layer(index, "gate").text, a, inner,
                                options->kernel, deviation);
    if (options->gate_norm)
        logits = builder_norm_alone(builder, builder_layer(index, "gatenorm").text, logits,
                                    PLACE_OTHER, 1);
    else
        logits = program_bias(program, builder_layer(index, "gateshift").text, logits);
    Value y =
        program_add_op(program, "",
                       (Op){.kind = OP_DIAGONALS,
                            .inputs = {program_concat(program, values, logits), builder->planes}});
    y = program_conv(program, builder_layer(index, "conv2").text, y, builder->settings->channels, 1,
                     builder_last_deviation(builder));
    return program_add(program, x, y);
}
