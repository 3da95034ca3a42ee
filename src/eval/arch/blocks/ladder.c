/* Ladder blocks (GoNN, model.py, ladder_block), which can follow ladders along the diagonals:
 *     y = x + W3 diagonals(a(W1 a(x)), W2 a(x))
 * a is norm, activation and mask. W1 gives the values that run along the diagonals. W2, which has a
 * bias, gives logits: they say how far the value of a point replaces what comes from the points
 * before it on its diagonal (nn/ops/diagonals.c). For each of the four directions there are as many
 * channels as the option `inner` says (6 by default). W3 is a 1 x 1 convolution. GoNN also has a
 * norm after W2. */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

enum { USUAL_CHANNELS = 6, DIRECTIONS = 4 };

Value block_ladder(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    Program *program = builder->program;
    int inner = DIRECTIONS * (options->inner ? options->inner : USUAL_CHANNELS);
    double deviation = builder_first_deviation(builder, 1, 1);
    char name[48];
    snprintf(name, sizeof name, "block%d.norm1", index);
    Value a = builder_norm(builder, name, x, PLACE_OTHER, index + 1);
    snprintf(name, sizeof name, "block%d.conv1", index);
    Value values = program_conv(program, name, a, inner, options->kernel, deviation);
    snprintf(name, sizeof name, "block%d.norm2", index);
    values = builder_norm(builder, name, values, PLACE_LAST, 1);
    snprintf(name, sizeof name, "block%d.gate", index);
    Value logits = program_conv(program, name, a, inner, options->kernel, deviation);
    snprintf(name, sizeof name, "block%d.gateshift", index);
    logits = program_bias(program, name, logits);
    Value y =
        program_add_op(program, "",
                       (Op){.kind = OP_DIAGONALS,
                            .inputs = {program_concat(program, values, logits), builder->planes}});
    snprintf(name, sizeof name, "block%d.conv2", index);
    y = program_conv(program, name, y, builder->settings->channels, 1,
                     builder_last_deviation(builder));
    return program_add(program, x, y);
}
