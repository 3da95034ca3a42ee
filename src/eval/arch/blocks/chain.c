/* Blocks that pool over chains of stones (GoNN, README, "Chain pooling"):
 *     y = x + W2 pool(a(W1 a(x)))
 * a is norm, activation and mask. W1 is a convolution to the channels of the option `inner` (32 by
 * default), and W2 is one back to all channels. Each stone gets the maxima of its chain, and points
 * without a stone get 0. */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

enum { USUAL_CHANNELS = 32 };

Value block_chain(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    Program *program = builder->program;
    int inner = options->inner ? options->inner : USUAL_CHANNELS;
    char name[48];
    snprintf(name, sizeof name, "block%d.norm1", index);
    Value y = builder_norm(builder, name, x, PLACE_OTHER, index + 1);
    snprintf(name, sizeof name, "block%d.conv1", index);
    y = program_conv(program, name, y, inner, options->kernel,
                     builder_first_deviation(builder, 1, 1));
    snprintf(name, sizeof name, "block%d.norm2", index);
    y = builder_norm(builder, name, y, PLACE_LAST, 1);
    y = program_add_op(program, "", (Op){.kind = OP_CHAIN_POOL, .inputs = {y, builder->planes}});
    snprintf(name, sizeof name, "block%d.conv2", index);
    y = program_conv(program, name, y, builder->settings->channels, options->kernel,
                     builder_last_deviation(builder));
    return program_add(program, x, y);
}
