/* net_builder.h - what blocks and heads are built with: the program, the settings of the net, its
 * norms and its initial weights (Wu 2019, appendix A; KataGo, python/katago/train/model_pytorch.py).
 * Threading: confined. */
#pragma once
#include "eval/arch_settings.h"
#include "nn/net.h"

/* Where a norm stands: before a block's last convolution, before any other one of the trunk, after
 * the last block, in a head. */
typedef enum { PLACE_LAST, PLACE_OTHER, PLACE_TIP, PLACE_HEAD } NormPlace;

typedef struct {
    Program *program;
    const ArchSettings *settings;
    Activation activation;
} NetBuilder;

/* Norm, activation and mask. `variance`: of x in a net of fixed scales, as it is built. */
Value builder_norm(NetBuilder *builder, const char *name, Value x, NormPlace place,
                   double variance);
bool builder_has_fixed_scales(const ArchSettings *settings);
/* The `deviation` of program_conv() and program_dense(): `scale` times the gain of the net's
 * activation over the root of the fan-in. */
double builder_deviation(const NetBuilder *builder, double scale);
/* The same of the first convolutions of a block, and of its last one. With Fixup (Zhang et al. 2019)
 * the first ones are scaled by 1 / sqrt(blocks), and the last one starts at zero. */
double builder_first_deviation(const NetBuilder *builder, double scale);
double builder_last_deviation(const NetBuilder *builder);
