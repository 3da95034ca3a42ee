#include "eval/arch/blocks/block_fit.h"

#include <stdarg.h>
#include <stdio.h>

/* The side of the largest board for which map_form=points is possible. With map_form=points an
 * attention map has a number of its own for each pair of points, that is, side^4 numbers. They are
 * the channels of one value, so there may be at most OP_CHANNELS_MAX of them. */
enum { MAP_POINTS_SIDE_MAX = 16 };

static bool misfit(BlockMisfit *out, const char *option, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool misfit(BlockMisfit *out, const char *option, const char *format, ...) {
    va_list arguments;
    out->name = option;
    out->of_net = false;
    va_start(arguments, format);
    vsnprintf(out->text, sizeof out->text, format, arguments);
    va_end(arguments);
    return true;
}

/* Whether the options describe an impossible convolution. */
static bool kernel_misfit(const BlockOptions *options, BlockMisfit *out) {
    if (options->kernel % 2 == 0)
        return misfit(out, "kernel", "kernel is %d, an odd number is wanted", options->kernel);
    if (options->length % 2 == 0)
        return misfit(out, "length", "length is %d, an odd number is wanted", options->length);
    if (options->dilation > 1 && options->kernel == 1)
        return misfit(out, "dilation", "dilation is %d, which needs a kernel wider than 1",
                      options->dilation);
    if (options->dilated && options->dilation == 1)
        return misfit(out, "dilated", "dilated is %d, which needs a dilation above 1",
                      options->dilated);
    return false;
}

static bool attention_misfit(const BlockOptions *options, BlockMisfit *out) {
    int heads = options->heads, kv_heads = options->kv_heads;
    if (kv_heads && (!heads || heads % kv_heads != 0))
        return misfit(out, "kv_heads",
                      "kv_heads is %d, which must divide the number of heads; heads is %d",
                      kv_heads, heads);
    if (options->query % 2 != 0 && options->rotary != ROTARY_NONE)
        return misfit(out, "query", "query is %d, an even number is wanted, or rotary=none",
                      options->query);
    if (options->maps != MAPS_NONE && options->map_form == MAP_POINTS &&
        options->side > MAP_POINTS_SIDE_MAX)
        return misfit(out, "map_form", "map_form=points is for boards up to %dx%d; side is %d",
                      MAP_POINTS_SIDE_MAX, MAP_POINTS_SIDE_MAX, options->side);
    if ((options->tables & 3) && options->rotary != ROTARY_NONE)
        return misfit(out, "tables",
                      "tables of queries and keys need rotary=none: a table depends only on the "
                      "offset between two points, but a rotated query or key depends on its own "
                      "point too");
    return false;
}

/* Returns the number of channels after the first convolution of a block. The block pools or dilates
 * some of these channels. */
static int inner_of(const Block *block, const BlockOptions *options, const ArchSettings *net) {
    if (options->inner) return options->inner;
    if (net->inner_channels) return net->inner_channels;
    return block->build == block_nested ? net->channels / 2 : net->channels;
}

/* Whether more channels are to be pooled or dilated than there are. */
static bool inner_misfit(const Block *block, const BlockOptions *options, const ArchSettings *net,
                         int index, BlockMisfit *out) {
    int inner = inner_of(block, options, net), pool = options->pool;
    bool pools = block->build == block_pooled, of_net = pools && !pool;
    if (block_has_option(block, "dilated") && options->dilated > inner)
        return misfit(out, "dilated",
                      "dilated is %d, more than the %d inner channels of the block; block%d.conv1 "
                      "would have %d channels",
                      options->dilated, inner, index, inner - options->dilated);
    if (of_net) pool = net->pool_channels;
    if ((!pools && block->build != block_nested) || pool <= inner) return false;
    misfit(out, of_net ? "pool_channels" : "pool",
           "%s is %d, more than the %d inner channels of a %s block",
           of_net ? "pool_channels" : "pool", pool, inner, block->name);
    out->of_net = of_net;
    return true;
}

/* Whether `heads` is given, `query` is not, and the channels of the trunk cannot be divided into an
 * even number for each head. */
static bool heads_misfit(const Block *block, const BlockOptions *options, const ArchSettings *net,
                         BlockMisfit *out) {
    int heads = options->heads, channels = net->channels;
    if (!block_has_option(block, "heads") || !heads || options->query) return false;
    if (channels % heads != 0)
        return misfit(out, "heads",
                      "heads is %d, which must divide the %d channels of the trunk, or query must "
                      "say how many channels a head has",
                      heads, channels);
    if (channels / heads % 2 != 0)
        return misfit(out, "heads",
                      "heads is %d, so that a head would have %d of the %d channels of the trunk; "
                      "an even number is wanted, or query must say how many",
                      heads, channels / heads, channels);
    return false;
}

/* Whether the norm that follows the sums of an encoder or embedding block is of a kind that does
 * not normalise. DeepNorm (encoder.c) needs normalised sums. */
static bool norm_misfit(const Block *block, const BlockOptions *options, BlockMisfit *out) {
    bool post_norm = block->build == block_encoder || block->build == block_embedding;
    if (!post_norm || options->norm <= BLOCK_NORM_BATCH || options->norm == BLOCK_NORM_RENORM)
        return false;
    return misfit(out, "norm",
                  "the norm of %s blocks must be one that normalises: rms, layer, batch or renorm",
                  block->name);
}

bool block_misfit(const Block *block, const BlockOptions *options, int index,
                  const ArchSettings *settings, BlockMisfit *out) {
    if (kernel_misfit(options, out) || attention_misfit(options, out) ||
        norm_misfit(block, options, out))
        return true;
    if (!settings) return false;
    return inner_misfit(block, options, settings, index, out) ||
           heads_misfit(block, options, settings, out);
}
