/* net_builder.h - what the builders of blocks and heads share: the program to which they add ops,
 * the settings of the net, the function that adds a norm, and the scale of initial weights (Wu
 * 2019, appendix A; KataGo, python/katago/train/model_pytorch.py). Threading: confined. */
#pragma once
#include "eval/arch/arch_settings.h"
#include "nn/graph/net.h"

/* The place of a norm in the net: before the last convolution of a block, before another
 * convolution of the trunk, after the last block, or in a head. */
typedef enum { PLACE_LAST, PLACE_OTHER, PLACE_TIP, PLACE_HEAD } NormPlace;

typedef struct {
    Program *program;
    const ArchSettings *settings;
    Value planes; /* the input with the stones, for ops that read them (nn/ops/stones.h) */
    int encoders; /* how many encoder blocks the trunk has */
} NetBuilder;

typedef struct {
    char text[48];
} BlockLayer;
/* Returns the name of a layer of block number `index`, such as "block3.conv1". */
BlockLayer builder_layer(int index, const char *layer);
/* Returns the channels inside a block: `option` or, if that is 0, arch.inner_channels or, if that
 * is 0 too, `usual`. */
int builder_inner_channels(const NetBuilder *builder, int option, int usual);

/* Adds the activation of the net. `name` is that of the layer before it; a parametric ReLU gets the
 * name "NAME.prelu". */
Value builder_activation(NetBuilder *builder, const char *name, Value x);

/* Adds norm, activation and mask. `variance` is the variance of x at the start of training. The
 * norms fixscale and fson divide x by its square root, and `fixed` does so at first, by the initial
 * values of its gains. The other norms ignore it, and so does fson after the last block, where it
 * is a batch norm. */
Value builder_norm(NetBuilder *builder, const char *name, Value x, NormPlace place,
                   double variance);
/* Does the same without activation and mask. */
Value builder_norm_alone(NetBuilder *builder, const char *name, Value x, NormPlace place,
                         double variance);
/* Returns whether the norms of the net have scales that are not trained (fixscale, fson). */
bool builder_has_fixed_scales(const ArchSettings *settings);
/* Returns the argument `deviation` for program_conv() and program_dense() with which the initial
 * weights have the standard deviation
 *     scale * gain of the activation / sqrt(fan-in) */
double builder_deviation(const NetBuilder *builder, double scale);
/* Return the argument `deviation` for the convolutions in the branch of a block: for those before
 * the last one, and for the last one. With Fixup (Zhang et al. 2019) the initial weights of the
 * last convolution are zero, and those of the other convolutions together are scaled by
 *     1 / sqrt(blocks)
 * If `in_row` convolutions follow each other before the last one, each has the in_row-th root of
 * this factor, as in KataGo. Convolutions side by side count as one. */
double builder_first_deviation(const NetBuilder *builder, double scale, int in_row);
double builder_last_deviation(const NetBuilder *builder);
