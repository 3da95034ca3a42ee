/* net_builder.h - the means by which blocks and heads are built: the program, the settings of the
 * net, its norms and the scale of its initial weights (Wu 2019, appendix A; KataGo,
 * python/katago/train/model_pytorch.py). Threading: confined. */
#pragma once
#include "eval/arch/arch_settings.h"
#include "nn/graph/net.h"

/* Where a norm stands: before a block's last convolution, before any other one of the trunk, after
 * the last block, in a head. */
typedef enum { PLACE_LAST, PLACE_OTHER, PLACE_TIP, PLACE_HEAD } NormPlace;

typedef struct {
    Program *program;
    const ArchSettings *settings;
    Activation activation;
} NetBuilder;

/* Adds norm, activation and mask. `variance`: that of x at the start of training, which norms with
 * fixed scales divide out. */
Value builder_norm(NetBuilder *builder, const char *name, Value x, NormPlace place,
                   double variance);
bool builder_has_fixed_scales(const ArchSettings *settings);
/* The argument `deviation` of program_conv() and program_dense() for initial weights with deviation
 *     scale * gain of the activation / sqrt(fan-in) */
double builder_deviation(const NetBuilder *builder, double scale);
/* The same for a block whose branch has two convolutions in turn: for the first one, or for several
 * that stand side by side in its place, and for the last one. With Fixup (Zhang et al. 2019) the
 * first one is multiplied by 1 / sqrt(blocks), and the last one starts at zero. In a longer branch
 * those before the last share that factor, as in bottleneck.c. */
double builder_first_deviation(const NetBuilder *builder, double scale);
double builder_last_deviation(const NetBuilder *builder);
