/* blocks.h - the compositions that nets are made of (Wu 2019, appendix A; KataGo,
 * python/katago/train/model_pytorch.py). Threading: confined. */
#pragma once
#include "eval/arch.h"

enum { NORM_BATCH, NORM_FIXUP, NORM_FIXED, NORM_RENORM };

typedef struct {
    Program *program;
    const ArchConfig *config;
    Activation activation;
} Composer;

/* norm, activation, mask. `start`: of the gain where the norm has a fixed scale; `gain`: a trained
 * gain with fixup. */
Value block_norm(Composer *composer, const char *name, Value x, double start, bool gain);
/* Pre-activation residual block; `index` from 0. */
Value block_residual(Composer *composer, int index, Value x);
/* The same with a branch that is pooled over the board and added to the first convolution. */
Value block_pooled(Composer *composer, int index, Value x);
/* Outputs of heads.h from the normed and activated trunk. `globals`: for the parity of komi. */
void heads_compose(Composer *composer, Value trunk, Value globals);
