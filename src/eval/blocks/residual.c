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

static bool has_fixed_scales(const ArchConfig *config) {
    return config->norm == NORM_FIXSCALE || config->norm == NORM_FSON;
}

/* A scale that is not trained (1: none), a gain that starts there (0: none), a bias. */
static Value affine(Composer *composer, const char *name, Value x, double scale, double gain) {
    Program *program = composer->program;
    char part[64];
    snprintf(part, sizeof part, "%s.fixed", name);
    if (scale != 1) x = program_fixed_scale(program, part, x, scale);
    snprintf(part, sizeof part, "%s.scale", name);
    if (gain > 0) x = program_scale(program, part, x, gain);
    snprintf(part, sizeof part, "%s.shift", name);
    return program_bias(program, part, x);
}

Value block_norm(Composer *composer, const char *name, Value x, NormPlace place, double variance) {
    Program *program = composer->program;
    int norm = composer->config->norm;
    double scale = has_fixed_scales(composer->config) ? 1 / sqrt(variance) : 1,
           gain = norm == NORM_FIXED  ? 1 / sqrt(variance)
                  : norm == NORM_FSON ? place != PLACE_HEAD
                                      : place == PLACE_LAST;
    if (norm == NORM_BATCH || norm == NORM_RENORM || (norm == NORM_FSON && place == PLACE_TIP))
        x = batch_norm(composer, name, x);
    else
        x = affine(composer, name, x, scale, gain);
    return program_mask(program, program_activation(program, x, composer->activation));
}

/* KataGo's gains, so that variance passes through: over relu's, for which the builder's He et al.
 * 2015 is. */
double block_deviation(const Composer *composer, double scale) {
    switch (composer->activation) {
    case ACTIVATION_IDENTITY:
        return -scale * sqrt(0.5);
    case ACTIVATION_MISH:
        return -scale * sqrt(2.210277 / 2);
    case ACTIVATION_RELU:
    case ACTIVATION_SILU:
    case ACTIVATION_TANH:
        break;
    }
    return -scale;
}

static int inner_of(const ArchConfig *config) {
    return config->inner_channels ? config->inner_channels : config->channels;
}

/* Of a block's convolutions. Fixup (Zhang et al. 2019): first ones scaled by 1 / sqrt(blocks), last
 * ones start at zero. */
static double first_deviation(const Composer *composer, double scale) {
    const ArchConfig *config = composer->config;
    if (config->norm == NORM_FIXUP) scale *= 1 / sqrt((double)config->blocks);
    return block_deviation(composer, scale);
}

static double last_deviation(const Composer *composer) {
    return composer->config->norm == NORM_FIXUP ? 0 : block_deviation(composer, 1);
}

/* Of the pooled branch's two layers. With fixed scales its deviation is 0.6 beside 0.8 of the other
 * branch, so that variances add up to 1; else its map has the 0.5 of the paper's nets. */
typedef struct {
    double conv, map;
} PoolScale;

static PoolScale pool_scale(const ArchConfig *config) {
    return has_fixed_scales(config) ? (PoolScale){sqrt(0.6), sqrt(0.6)} : (PoolScale){0.775, 0.5};
}

Value block_residual(Composer *composer, int index, Value x) {
    const ArchConfig *config = composer->config;
    char name[48];
    snprintf(name, sizeof name, "block%d.norm1", index);
    Value y = block_norm(composer, name, x, PLACE_OTHER, index + 1);
    snprintf(name, sizeof name, "block%d.conv1", index);
    y = program_conv(composer->program, name, y, inner_of(config), 3, first_deviation(composer, 1));
    snprintf(name, sizeof name, "block%d.norm2", index);
    y = block_norm(composer, name, y, PLACE_LAST, 1);
    snprintf(name, sizeof name, "block%d.conv2", index);
    y = program_conv(composer->program, name, y, config->channels, 3, last_deviation(composer));
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
    PoolScale scale = pool_scale(config);
    char name[48];
    snprintf(name, sizeof name, "block%d.norm1", index);
    Value a = block_norm(composer, name, x, PLACE_OTHER, index + 1);
    snprintf(name, sizeof name, "block%d.conv1", index);
    Value r = program_conv(program, name, a, regular, 3, first_deviation(composer, 0.8));
    snprintf(name, sizeof name, "block%d.pool", index);
    Value g = program_conv(program, name, a, pooled, 3, first_deviation(composer, scale.conv));
    snprintf(name, sizeof name, "block%d.poolnorm", index);
    g = program_global_pool(program, block_norm(composer, name, g, PLACE_OTHER, 1),
                            POOL_MEAN_SCALE_MAX);
    snprintf(name, sizeof name, "block%d.poolmap", index);
    g = program_dense(program, name, g, regular, block_deviation(composer, scale.map));
    snprintf(name, sizeof name, "block%d.norm2", index);
    Value y = block_norm(composer, name, program_add_broadcast(program, r, g), PLACE_LAST, 1);
    snprintf(name, sizeof name, "block%d.conv2", index);
    y = program_conv(program, name, y, config->channels, 3, last_deviation(composer));
    return program_add(program, x, y);
}
