/* Nested bottleneck blocks (KataGo, python/katago/train/model_pytorch.py, "bottlenest"):
 *     y = x + W2 a(r_n(... r_1(W1 a(x))))
 * a is norm, activation and mask. W1 is a 1 x 1 convolution from all channels to the inner
 * channels. There are half as many inner channels as channels, or the number that the option
 * `inner` gives. W2 is a 1 x 1 convolution back to all channels. r_1 to r_n are residual blocks on
 * the inner channels; n is the option `layers` (2 by default). The option `pool` is the number of
 * channels that r_1 pools over the board. */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"
#include "eval/arch/blocks/branch.h"

enum { USUAL_LAYERS = 2 };

static Value inner_block(NetBuilder *builder, const BlockOptions *options, int index, int number,
                         int in_row, Value x) {
    char prefix[48];
    snprintf(prefix, sizeof prefix, "block%d.inner%d", index, number);
    const Branch branch = {.prefix = prefix,
                           .inner = program_op(builder->program, x)->channels,
                           .pooled = options->pool,
                           .pooling = branch_pooling(builder, options),
                           .kernel = options->kernel,
                           .variance = number + 1,
                           .in_row = in_row};
    Value y = options->pool && number == 0 ? branch_pooled(builder, &branch, x)
                                           : branch_residual(builder, &branch, x);
    return program_add(builder->program, x, y);
}

Value block_nested(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    const ArchSettings *settings = builder->settings;
    Program *program = builder->program;
    int layers = options->layers ? options->layers : USUAL_LAYERS;
    int inner = builder_inner_channels(builder, options->inner, settings->channels / 2);
    Value y = builder_norm(builder, builder_layer(index, "norm1").text, x, PLACE_OTHER,
                           builder_variance(builder, index));
    y = program_conv(program, builder_layer(index, "conv1").text, y, inner, 1,
                     builder_first_deviation(builder, 1, layers + 1));
    for (int i = 0; i < layers && y >= 0; i++)
        y = inner_block(builder, options, index, i, layers + 1, y);
    y = builder_norm(builder, builder_layer(index, "norm2").text, y, PLACE_LAST, layers + 1);
    y = program_conv(program, builder_layer(index, "conv2").text, y, settings->channels, 1,
                     builder_last_deviation(builder));
    return program_add(program, x, y);
}
