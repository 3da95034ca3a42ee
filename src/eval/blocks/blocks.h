/* blocks.h - the compositions that nets are made of (Wu 2019, appendix A; KataGo,
 * python/katago/train/model_pytorch.py). Threading: confined. */
#pragma once
#include "eval/arch.h"

enum { NORM_BATCH, NORM_FIXUP, NORM_FIXED, NORM_RENORM, NORM_FIXSCALE, NORM_FSON };

/* Where a norm stands: before a block's last convolution, before any other one of the trunk, after
 * the last block, in a head. */
typedef enum { PLACE_LAST, PLACE_OTHER, PLACE_TIP, PLACE_HEAD } NormPlace;

typedef struct {
    Program *program;
    const ArchConfig *config;
    Activation activation;
} Composer;

/* norm, activation, mask. `variance`: of x in a net of fixed scales, as it is built. */
Value block_norm(Composer *composer, const char *name, Value x, NormPlace place, double variance);
/* For program_conv() and program_dense(): `scale` times the gain of the net's activation over the
 * root of the fan-in. */
double block_deviation(const Composer *composer, double scale);
/* Pre-activation residual block; `index` from 0. */
Value block_residual(Composer *composer, int index, Value x);
/* The same with a branch that is pooled over the board and added to the first convolution. */
Value block_pooled(Composer *composer, int index, Value x);
/* Outputs of heads.h from the normed and activated trunk. `globals`: for the parity of komi. */
void heads_compose(Composer *composer, Value trunk, Value globals);
