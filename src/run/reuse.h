/* reuse.h - how often rows are trained on: each new row earns samples, which training takes.
 * Threading: free functions. */
#pragma once
#include "data/window.h"
#include <stdint.h>

typedef enum {
    REUSE_BUCKET, /* so many samples for each new row (KataGo, python/train.py) */
    REUSE_CHUNKS  /* with each cycle of new rows a share of the window (p3achygo, its shuffler) */
} ReuseRule;

typedef struct {
    ReuseRule rule;
    double each;                /* samples for each new row; of chunks: at most so many */
    double chunk_share;         /* of chunks: at most so much of the window */
    int rows_first, cycle;      /* rows of the first chunk, and of each further one */
    const WindowConfig *window; /* of chunks ... */
    int64_t random_rows;        /* ... and those of random play */
} Reuse;

/* What rows have earned: so much up to those `rows`, those after them as the rest says. {0}:
 * nothing is known. Rows are never counted again by a later setting. */
typedef struct {
    int64_t rows;
    double earned; /* samples in all, but for those that a full bucket let go */
    double each;
    ReuseRule rule;
} Earnings;

/* The chance of a row of the window to be in the chunk of a cycle of new rows:
 *     min(chunk_share, each / (window / cycle))          (p3achygo: min(.25, 3 / (W / 375000))) */
double reuse_chance(const Reuse *reuse, int64_t window);
/* Samples earned when the run has `rows`. */
double reuse_earned(const Reuse *reuse, const Earnings *earnings, int64_t rows);
/* The same earnings for rows that come from now on, by the settings of `reuse`. Where chunks are
 * the rule whole ones are counted, and rows after the last one are as those to come. */
Earnings reuse_renewed(const Reuse *reuse, const Earnings *earnings, int64_t rows);
/* With how many rows `samples` will have been earned. */
int64_t reuse_rows_for(const Reuse *reuse, const Earnings *earnings, double samples);
