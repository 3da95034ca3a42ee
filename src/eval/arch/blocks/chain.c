/* Blocks that pool over chains of stones (GoNN, README, "Chain pooling"):
 *     y = x + W2 pool(a(W1 a(x)))
 * a is norm, activation and mask. W1 is a convolution from all channels to the inner channels; the
 * option `inner` is their number (32 by default). W2 is a convolution back to all channels. In each
 * channel, pool() gives each stone the maximum over its chain, and gives 0 to points without a
 * stone. */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

enum { USUAL_CHANNELS = 32 };

Value block_chain(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    Program *program = builder->program;
    int inner = options->inner ? options->inner : USUAL_CHANNELS;
    Value y = builder_norm(builder, builder_layer(index, "norm1").text, x, PLACE_OTHER,
                           builder_variance(builder, index));
    y = program_conv(program, builder_layer(index, "conv1").text, y, inner, options->kernel,
                     builder_first_deviation(builder, 1, 1));
    y = builder_norm(builder, builder_layer(index, "norm2").text, y, PLACE_LAST, 1);
    y = program_add_op(program, "", (Op){.kind = OP_CHAIN_POOL, .inputs = {y, builder->planes}});
    y = program_conv(program, builder_layer(index, "conv2").text, y, builder->settings->channels,
                     options->kernel, builder_last_deviation(builder));
    return program_add(program, x, y);
}
