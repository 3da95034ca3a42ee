/* renorm.h - how far batch renorm may depart from batch norm as training goes on. Threading: free
 * functions. */
#pragma once
#include <stdint.h>

/* Batch renorm clips its factor r to [1 / r, r] and its shift d to [-d, d]; see nn/learn.h. */
typedef struct {
    double r, d;
} RenormLimits;

/* The limits after `samples` samples of training. They move exponentially from 1 and 0, which is
 * plain batch norm, to `final`; after `period` samples 1/e of the way is left. KataGo,
 * python/train.py; Ioffe 2017 uses steps instead. */
RenormLimits renorm_limits(RenormLimits final, int64_t period, int64_t samples);
