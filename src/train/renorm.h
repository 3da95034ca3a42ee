/* renorm.h - how far batch renorm may be from batch norm as training goes on. Threading: free
 * functions. */
#pragma once
#include <stdint.h>

/* Batch renorm keeps r within [1 / r, r] and d within [-d, d]; see nn/learn.h. */
typedef struct {
    double r, d;
} RenormLimits;

/* The limits after so many samples of the net's own: they go from 1 and 0, which is batch norm, to
 * `last`, all but 1/e of the way in `period` samples. KataGo, python/train.py; Ioffe 2017 has steps
 * instead. */
RenormLimits renorm_limits(RenormLimits last, int64_t period, int64_t samples);
