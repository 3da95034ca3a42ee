/* sample_budget.h - the replay ratio, that is how often rows are trained on: each new row adds
 * samples to the budget of training, and training uses them up. Threading: free functions. */
#pragma once
#include "data/window.h"
#include <stdint.h>

typedef enum {
    REUSE_BUCKET, /* a number of samples for each new row (KataGo, python/train.py) */
    REUSE_CHUNKS  /* a fraction of the window for each cycle of new rows, which is called a chunk
                     (p3achygo, its shuffler) */
} ReuseRule;

/* How many samples new rows add. */
typedef struct {
    ReuseRule rule;
    double samples_per_row;       /* for each new row; the maximum with chunks */
    double chunk_fraction;        /* chunks: maximum fraction of the window */
    int rows_first, rows_cycle;   /* chunks: new rows of the first one, and of each later one */
    const WindowSettings *window; /* chunks */
    int64_t random_rows;          /* chunks: rows of random play in the run */
} ReplayRatio;

/* The number of samples that a run may train in all, counted from its beginning: `samples` for its
 * first `rows` rows, and more for each later row by the other two fields. So a change of the
 * settings does not count earlier rows again. Samples that a full bucket dropped are not included.
 * {0}: nothing is known. */
typedef struct {
    int64_t rows;
    double samples;
    double samples_per_row;
    ReuseRule rule;
} SampleBudget;

/* The fraction of the window that is trained on for one cycle of new rows:
 *     min(chunk_fraction, samples_per_row / (window / rows_cycle))
 * (p3achygo: min(.25, 3 / (W / 375000))) */
double sample_budget_chunk(const ReplayRatio *ratio, int64_t window);
/* The samples that are allowed when the run has `rows`. */
double sample_budget_at(const ReplayRatio *ratio, const SampleBudget *budget, int64_t rows);
/* The same budget, to which later rows add samples by `ratio`. With REUSE_CHUNKS only whole chunks
 * are counted; rows after the last whole chunk are treated like later ones. */
SampleBudget sample_budget_renewed(const ReplayRatio *ratio, const SampleBudget *budget,
                                   int64_t rows);
/* How many rows the run needs for a budget of `samples`. */
int64_t sample_budget_rows_for(const ReplayRatio *ratio, const SampleBudget *budget,
                               double samples);
