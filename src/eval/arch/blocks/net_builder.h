/* net_builder.h - what the builders of blocks and heads share. This is the program to which they
 * add ops, the settings of the net, the functions that add norms and activations, and the scale of
 * initial weights (Wu 2019, appendix A; KataGo, python/katago/train/model_pytorch.py). Threading:
 * confined. */
#pragma once
#include "eval/arch/arch_settings.h"
#include "eval/arch/blocks/block_options.h"
#include "nn/graph/net.h"

/* The place of a norm in the net: before the last convolution of a block, before another
 * convolution of the trunk, after the last block, or in a head. */
typedef enum { PLACE_LAST, PLACE_OTHER, PLACE_TIP, PLACE_HEAD } NormPlace;

typedef struct {
    Program *program;
    const ArchSettings *settings;
    Value planes; /* the input with the stones, for ops that read them (nn/ops/stones.h) */
    int encoders; /* how many encoder blocks the trunk has */
    /* The options of the block that is being built. In it, their norm and activation replace those
     * of the net. Outside of blocks it is NULL. */
    const BlockOptions *block;
    int silent; /* how many earlier blocks begin with a branch of 0, because their norm is fixup */
} NetBuilder;

typedef struct {
    char text[48];
} BlockLayer;
/* Returns the name of a layer of block number `index`, such as "block3.conv1". */
BlockLayer builder_layer(int index, const char *layer);
/* Returns the number of channels inside a block: the first of `option`, arch.inner_channels and
 * `usual` that is not 0. */
int builder_inner_channels(const NetBuilder *builder, int option, int usual);

/* Returns the norm (NORM_BATCH ... NORM_POINT_LAYER) of the block that is being built or, outside
 * of blocks, of the net. */
int builder_norm_kind(const NetBuilder *builder);
/* Returns the activation (as ArchSettings.activation) that an option (BLOCK_ACTIVATION_NET ...)
 * names. */
int builder_option_activation(const NetBuilder *builder, int option);
/* Adds an activation, as ArchSettings.activation. `name` is that of the layer before it; a
 * parametric ReLU gets the name "NAME.prelu". */
Value builder_activation_of(NetBuilder *builder, int activation, const char *name, Value x);
/* Adds the activation of the block that is being built or, outside of blocks, of the net. */
Value builder_activation(NetBuilder *builder, const char *name, Value x);

/* Adds an RMS norm of each point (Zhang and Sennrich 2019) or a layer norm (Ba, Kiros and Hinton
 * 2016). */
Value builder_point_norm(NetBuilder *builder, const char *name, Value x, bool layer);
/* Returns the variance of the input of block number `index` at the start of training. Each earlier
 * block has added 1 to it, except blocks whose branch begins at 0. */
double builder_variance(const NetBuilder *builder, int index);
/* Adds a norm, an activation and a mask. Norm and activation are those of the block that is being
 * built or, outside of blocks, of the net. `variance` is the variance of x at the start of
 * training. The norms fixscale and fson divide x by sqrt(variance). The initial gains of the norm
 * `fixed` do the same. The other norms ignore `variance`. After the last block fson is a batch norm
 * and ignores it too. */
Value builder_norm(NetBuilder *builder, const char *name, Value x, NormPlace place,
                   double variance);
/* Does the same without activation and mask. */
Value builder_norm_alone(NetBuilder *builder, const char *name, Value x, NormPlace place,
                         double variance);
/* Returns whether norms have scales that are not trained (fixscale, fson). */
bool builder_has_fixed_scales(const NetBuilder *builder);
/* Returns the argument `deviation` for program_conv() and program_dense() that gives the initial
 * weights this standard deviation:
 *     scale * gain of the activation / sqrt(fan-in) */
double builder_deviation(const NetBuilder *builder, double scale);
/* Return the argument `deviation` for the convolutions in the branch of a block: the first function
 * for the convolutions before the last one, the second for the last one. With Fixup (Zhang et al.
 * 2019) the initial weights of the last convolution are zero. The scales of the other convolutions
 * together have the factor
 *     1 / sqrt(blocks)
 * If `in_row` convolutions follow each other before the last one, each has the in_row-th root of
 * this factor, as in KataGo. Convolutions side by side count as one. */
double builder_first_deviation(const NetBuilder *builder, double scale, int in_row);
double builder_last_deviation(const NetBuilder *builder);
