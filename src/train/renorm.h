/* renorm.h - how far batch renorm may be from batch norm as training goes on. Threading: free
 * functions. */
#pragma once
#include "train/trainer.h"

/* r within [1 / r, r], d within [-d, d]; nn/learn.h. */
typedef struct {
    double r, d;
} RenormLimits;

/* From 1 and 0, which is batch norm, to trainer.renorm_rmax and renorm_dmax, all but 1/e of the way
 * in renorm_samples of the net's own. KataGo, python/train.py; Ioffe 2017 has steps instead. */
RenormLimits renorm_limits(const TrainerConfig *config, int64_t samples);
