#include "eval/arch/blocks/branch.h"

#include <math.h>
#include <stdio.h>

/* The scales of the initial weights in the pooled part of a branch: `conv` is the scale of its
 * convolution, and `map` the scale of the matrix whose result is added to the other part. If the
 * norms multiply by constants (norm=fixscale or norm=fson), this result must have the standard
 * deviation 0.6, because the other part has 0.8, and the sum of the two variances must be 1. With
 * other norms `map` is 0.5, as in Wu 2019. */
typedef struct {
    double conv, map;
} PoolScale;

static PoolScale pool_scale(const NetBuilder *builder) {
    return builder_has_fixed_scales(builder) ? (PoolScale){sqrt(0.6), sqrt(0.6)}
                                             : (PoolScale){0.775, 0.5};
}

static int pooled_of(const ArchSettings *settings, const BlockOptions *options) {
    if (options->pool) return options->pool;
    if (settings->pool_channels) return settings->pool_channels;
    return settings->channels / 4 > 8 ? settings->channels / 4 : 8;
}

PoolKind branch_pooling(const NetBuilder *builder, const BlockOptions *options) {
    static const PoolKind KINDS[] = {[POOLING_AUTO] = POOL_MEAN_SCALE_MAX,
                                     [POOLING_SCALED] = POOL_MEAN_SCALE_MAX,
                                     [POOLING_MEAN_MAX] = POOL_MEAN_MAX,
                                     [POOLING_MEAN] = POOL_MEAN,
                                     [POOLING_MEAN_MAX_STDEV] = POOL_MEAN_MAX_STDEV};
    return KINDS[options->pooling ? options->pooling : builder->settings->pooling];
}

/* Returns how many of the inner channels come from a dilated convolution: by default a third of
 * them, as in GoNN. */
static int dilated_of(const BlockOptions *options, int inner) {
    if (options->dilation == 1) return 0;
    return options->dilated ? options->dilated : (inner + 2) / 3;
}

Branch branch_of(const NetBuilder *builder, const BlockOptions *options, const char *prefix,
                 int index) {
    const ArchSettings *settings = builder->settings;
    int inner = builder_inner_channels(builder, options->inner, settings->channels);
    return (Branch){.prefix = prefix,
                    .inner = inner,
                    .pooled = pooled_of(settings, options),
                    .pooling = branch_pooling(builder, options),
                    .kernel = options->kernel,
                    .dilated = dilated_of(options, inner),
                    .dilation = options->dilation,
                    .variance = builder_variance(builder, index),
                    .in_row = 1};
}

static BlockLayer layer_of(const Branch *branch, const char *layer) {
    BlockLayer name;
    snprintf(name.text, sizeof name.text, "%.30s.%s", branch->prefix, layer);
    return name;
}

static int channels_of(const NetBuilder *builder, Value x) {
    return x < 0 ? 1 : program_op(builder->program, x)->channels;
}

/* Adds the first convolution. If some of its channels are dilated, it consists of two convolutions
 * of x, whose channels are joined. */
static Value first_conv(NetBuilder *builder, const Branch *branch, Value x) {
    Program *program = builder->program;
    double deviation = builder_first_deviation(builder, 1, branch->in_row);
    int regular = branch->inner - branch->dilated;
    Value y = -1;
    if (regular || !branch->dilated)
        y = program_conv(program, layer_of(branch, "conv1").text, x, regular, branch->kernel,
                         deviation);
    if (!branch->dilated) return y;
    Value z = program_conv_of(program, layer_of(branch, "dilated").text, x, branch->dilated,
                              (ConvKind){.height = branch->kernel, .dilation = branch->dilation},
                              deviation);
    return regular ? program_concat(program, y, z) : z;
}

Value branch_residual(NetBuilder *builder, const Branch *branch, Value x) {
    Value y =
        builder_norm(builder, layer_of(branch, "norm1").text, x, PLACE_OTHER, branch->variance);
    y = first_conv(builder, branch, y);
    y = builder_norm(builder, layer_of(branch, "norm2").text, y, PLACE_LAST, 1);
    return program_conv(builder->program, layer_of(branch, "conv2").text, y,
                        channels_of(builder, x), branch->kernel, builder_last_deviation(builder));
}

Value branch_pooled(NetBuilder *builder, const Branch *branch, Value x) {
    Program *program = builder->program;
    int regular = branch->inner - branch->pooled;
    if (regular < 8) regular = 8;
    PoolScale scale = pool_scale(builder);
    Value a =
        builder_norm(builder, layer_of(branch, "norm1").text, x, PLACE_OTHER, branch->variance);
    Value r = program_conv(program, layer_of(branch, "conv1").text, a, regular, branch->kernel,
                           builder_first_deviation(builder, 0.8, branch->in_row));
    Value g =
        program_conv(program, layer_of(branch, "pool").text, a, branch->pooled, branch->kernel,
                     builder_first_deviation(builder, scale.conv, branch->in_row));
    g = program_global_pool(
        program, builder_norm(builder, layer_of(branch, "poolnorm").text, g, PLACE_OTHER, 1),
        branch->pooling);
    g = program_dense(program, layer_of(branch, "poolmap").text, g, regular,
                      builder_deviation(builder, scale.map));
    Value y = builder_norm(builder, layer_of(branch, "norm2").text,
                           program_add_broadcast(program, r, g), PLACE_LAST, 1);
    return program_conv(program, layer_of(branch, "conv2").text, y, channels_of(builder, x),
                        branch->kernel, builder_last_deviation(builder));
}
