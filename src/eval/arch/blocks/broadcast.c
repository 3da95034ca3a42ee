/* Broadcast blocks (p3achygo, python/model.py), in which each point can reach all others:
 *     y = x + W2 a(M a(W1 a(x)))
 * a is norm, activation and mask. W1 and W2 are 1 x 1 convolutions. M is a matrix over the points
 * of the board, the same for all channels. It has weights for the points of a square board whose
 * side is the option `side`; a smaller board uses those of the upper left corner. So the block is
 * not symmetric, and learns symmetry only from rotated and mirrored positions. p3achygo has a norm
 * and an activation after W1 and W2; here they stand before, as in the other blocks. */
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

Value block_broadcast(NetBuilder *builder, const BlockOptions *options, int index, Value x) {
    const ArchSettings *settings = builder->settings;
    Program *program = builder->program;
    int inner = options->inner ? options->inner : settings->inner_channels;
    if (!inner) inner = settings->channels;
    char name[48];
    snprintf(name, sizeof name, "block%d.norm1", index);
    Value y = builder_norm(builder, name, x, PLACE_OTHER, index + 1);
    snprintf(name, sizeof name, "block%d.conv1", index);
    y = program_conv(program, name, y, inner, 1, builder_first_deviation(builder, 1, 2));
    snprintf(name, sizeof name, "block%d.norm2", index);
    y = builder_norm(builder, name, y, PLACE_OTHER, 1);
    snprintf(name, sizeof name, "block%d.points", index);
    y = program_points(program, name, y, options->side, builder_first_deviation(builder, 1, 2));
    snprintf(name, sizeof name, "block%d.norm3", index);
    y = builder_norm(builder, name, y, PLACE_LAST, 1);
    snprintf(name, sizeof name, "block%d.conv2", index);
    y = program_conv(program, name, y, settings->channels, 1, builder_last_deviation(builder));
    return program_add(program, x, y);
}
