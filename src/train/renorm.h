/* renorm.h - how far batch renorm may differ from batch norm. This grows as training goes on.
 * Threading: free functions. */
#pragma once
#include <stdint.h>

/* Batch renorm clips its factor to [1 / r, r] and its shift to [-d, d]; see learn_limit_renorm() in
 * nn/learn/learn.h. */
typedef struct {
    double r, d;
} RenormLimits;

/* Returns the limits after `samples` samples of training. They move exponentially from those of
 * plain batch norm (r is 1 and d is 0) to `final`. After `period` samples 1/e of the way is left.
 * KataGo, python/train.py, has the same rule. Ioffe 2017 changes the limits in steps instead. */
RenormLimits renorm_limits(RenormLimits final, int64_t period, int64_t samples);
