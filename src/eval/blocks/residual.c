#include <math.h>
#include <stdio.h>

#include "eval/blocks/blocks.h"

static Value batch_norm(Composer *composer, const char *name, Value x) {
    const ArchConfig *config = composer->config;
    char part[64];
    snprintf(part, sizeof part, "%s.norm", name);
    return program_batch_norm_of(composer->program, part, x,
                                 (BatchNormKind){.epsilon = (double)config->norm_epsilon,
                                                 .momentum = (double)config->norm_momentum,
                                                 .renorm = config->norm == NORM_RENORM,
                                                 .no_gain = !config->norm_gain});
}

Value block_norm(Composer *composer, const char *name, Value x, double start, bool gain) {
    Program *program = composer->program;
    char part[64];
    switch (composer->config->norm) {
    case NORM_BATCH:
    case NORM_RENORM:
        x = batch_norm(composer, name, x);
        break;
    case NORM_FIXED:
        snprintf(part, sizeof part, "%s.scale", name);
        x = program_scale(program, part, x, start);
        snprintf(part, sizeof part, "%s.shift", name);
        x = program_bias(program, part, x);
        break;
    default:
        if (gain) {
            snprintf(part, sizeof part, "%s.scale", name);
            x = program_scale(program, part, x, 1);
        }
        snprintf(part, sizeof part, "%s.shift", name);
        x = program_bias(program, part, x);
        break;
    }
    return program_mask(program, program_activation(program, x, composer->activation));
}

static int inner_of(const ArchConfig *config) {
    return config->inner_channels ? config->inner_channels : config->channels;
}

/* Fixup (Zhang et al. 2019): first convolutions scaled by 1 / sqrt(blocks), last ones start at
 * zero. Others: He et al. 2015. */
static double first_deviation(const ArchConfig *config) {
    return config->norm == NORM_FIXUP ? -1 / sqrt((double)config->blocks) : -1;
}

static double last_deviation(const ArchConfig *config) {
    return config->norm == NORM_FIXUP ? 0 : -1;
}

Value block_residual(Composer *composer, int index, Value x) {
    const ArchConfig *config = composer->config;
    char name[48];
    snprintf(name, sizeof name, "block%d.norm1", index);
    Value y = block_norm(composer, name, x, 1 / sqrt(index + 1.0), false);
    snprintf(name, sizeof name, "block%d.conv1", index);
    y = program_conv(composer->program, name, y, inner_of(config), 3, first_deviation(config));
    snprintf(name, sizeof name, "block%d.norm2", index);
    y = block_norm(composer, name, y, 1, true);
    snprintf(name, sizeof name, "block%d.conv2", index);
    y = program_conv(composer->program, name, y, config->channels, 3, last_deviation(config));
    return program_add(composer->program, x, y);
}

static int pool_channels_of(const ArchConfig *config) {
    if (config->pool_channels) return config->pool_channels;
    return config->channels / 4 > 8 ? config->channels / 4 : 8;
}

Value block_pooled(Composer *composer, int index, Value x) {
    const ArchConfig *config = composer->config;
    Program *program = composer->program;
    int pooled = pool_channels_of(config), regular = inner_of(config) - pooled;
    if (regular < 8) regular = 8;
    char name[48];
    snprintf(name, sizeof name, "block%d.norm1", index);
    Value a = block_norm(composer, name, x, 1 / sqrt(index + 1.0), false);
    snprintf(name, sizeof name, "block%d.conv1", index);
    Value r = program_conv(program, name, a, regular, 3, first_deviation(config) * 0.8);
    snprintf(name, sizeof name, "block%d.pool", index);
    Value g = program_conv(program, name, a, pooled, 3, first_deviation(config) * 0.775);
    snprintf(name, sizeof name, "block%d.poolnorm", index);
    g = program_global_pool(program, block_norm(composer, name, g, 1, false), POOL_MEAN_SCALE_MAX);
    snprintf(name, sizeof name, "block%d.poolmap", index);
    g = program_dense(program, name, g, regular, -0.5);
    snprintf(name, sizeof name, "block%d.norm2", index);
    Value y = block_norm(composer, name, program_add_broadcast(program, r, g), 1, true);
    snprintf(name, sizeof name, "block%d.conv2", index);
    y = program_conv(program, name, y, config->channels, 3, last_deviation(config));
    return program_add(program, x, y);
}
