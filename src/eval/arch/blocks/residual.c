#include <math.h>
#include <stdio.h>

#include "eval/arch/blocks/blocks.h"

static int inner_of(const ArchSettings *settings) {
    return settings->inner_channels ? settings->inner_channels : settings->channels;
}

/* The scales of the initial weights of the pooled branch: of its convolution and of its map. With
 * norms of fixed scales, the standard deviation of the branch must be 0.6: that of the other branch
 * is 0.8, and the variances are to add up to 1. With other norms the map has 0.5, as in the nets of
 * the paper. */
typedef struct {
    double conv, map;
} PoolScale;

static PoolScale pool_scale(const ArchSettings *settings) {
    return builder_has_fixed_scales(settings) ? (PoolScale){sqrt(0.6), sqrt(0.6)}
                                              : (PoolScale){0.775, 0.5};
}

Value block_residual_branch(NetBuilder *builder, int index, Value x) {
    const ArchSettings *settings = builder->settings;
    char name[48];
    snprintf(name, sizeof name, "block%d.norm1", index);
    Value y = builder_norm(builder, name, x, PLACE_OTHER, index + 1);
    snprintf(name, sizeof name, "block%d.conv1", index);
    y = program_conv(builder->program, name, y, inner_of(settings), 3,
                     builder_first_deviation(builder, 1));
    snprintf(name, sizeof name, "block%d.norm2", index);
    y = builder_norm(builder, name, y, PLACE_LAST, 1);
    snprintf(name, sizeof name, "block%d.conv2", index);
    return program_conv(builder->program, name, y, settings->channels, 3,
                        builder_last_deviation(builder));
}

Value block_residual(NetBuilder *builder, int index, Value x) {
    Value branch = block_residual_branch(builder, index, x);
    return program_add(builder->program, x, branch);
}

static int pool_channels_of(const ArchSettings *settings) {
    if (settings->pool_channels) return settings->pool_channels;
    return settings->channels / 4 > 8 ? settings->channels / 4 : 8;
}

Value block_pooled(NetBuilder *builder, int index, Value x) {
    const ArchSettings *settings = builder->settings;
    Program *program = builder->program;
    int pooled = pool_channels_of(settings), regular = inner_of(settings) - pooled;
    if (regular < 8) regular = 8;
    PoolScale scale = pool_scale(settings);
    char name[48];
    snprintf(name, sizeof name, "block%d.norm1", index);
    Value a = builder_norm(builder, name, x, PLACE_OTHER, index + 1);
    snprintf(name, sizeof name, "block%d.conv1", index);
    Value r = program_conv(program, name, a, regular, 3, builder_first_deviation(builder, 0.8));
    snprintf(name, sizeof name, "block%d.pool", index);
    Value g =
        program_conv(program, name, a, pooled, 3, builder_first_deviation(builder, scale.conv));
    snprintf(name, sizeof name, "block%d.poolnorm", index);
    g = program_global_pool(program, builder_norm(builder, name, g, PLACE_OTHER, 1),
                            POOL_MEAN_SCALE_MAX);
    snprintf(name, sizeof name, "block%d.poolmap", index);
    g = program_dense(program, name, g, regular, builder_deviation(builder, scale.map));
    snprintf(name, sizeof name, "block%d.norm2", index);
    Value y = builder_norm(builder, name, program_add_broadcast(program, r, g), PLACE_LAST, 1);
    snprintf(name, sizeof name, "block%d.conv2", index);
    y = program_conv(program, name, y, settings->channels, 3, builder_last_deviation(builder));
    return program_add(program, x, y);
}
