/* Broadcast blocks (p3achygo, python/model.py), in which each point can reach all others:
 *     y = x + W2 a(M a(W1 a(x)))
 * a is norm, activation and mask. W1 and W2 are 1 x 1 convolutions. M is a matrix over the points
 * of the board, the same for all channels, which also adds a bias at each point. M has weights for
 * the points of a square board whose side is the option `side`; a smaller board uses the weights of
 * the upper left corner. So the block is not symmetric, and learns symmetry only from rotated and
 * mirrored positions. p3achygo has a norm and an activation after W1 and after W2; here they stand
 * before these convolutions, as in the other blocks. */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

Value block_broadcast(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    const ArchSettings *settings = builder->settings;
    Program *program = builder->program;
    int inner = builder_inner_channels(builder, options->inner, settings->channels);
    Value y = builder_norm(builder, builder_layer(index, "norm1").text, x, PLACE_OTHER,
                           builder_variance(builder, index));
    y = program_conv(program, builder_layer(index, "conv1").text, y, inner, 1,
                     builder_first_deviation(builder, 1, 2));
    y = builder_norm(builder, builder_layer(index, "norm2").text, y, PLACE_OTHER, 1);
    y = program_points(program, builder_layer(index, "points").text, y, options->side,
                       builder_first_deviation(builder, 1, 2));
    y = builder_norm(builder, builder_layer(index, "norm3").text, y, PLACE_LAST, 1);
    y = program_conv(program, builder_layer(index, "conv2").text, y, settings->channels, 1,
                     builder_last_deviation(builder));
    return program_add(program, x, y);
}
