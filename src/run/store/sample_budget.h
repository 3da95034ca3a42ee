/* sample_budget.h - how often rows are trained on (the replay ratio): each new row adds samples to
 * the budget of training, which training uses up. Threading: free functions. */
#pragma once
#include "data/window.h"
#include <stdint.h>

typedef enum {
    REUSE_BUCKET, /* this many samples for each new row (KataGo, python/train.py) */
    REUSE_CHUNKS  /* a share of the window for each cycle of new rows (p3achygo, its shuffler) */
} ReuseRule;

/* By what new rows add samples. */
typedef struct {
    ReuseRule rule;
    double samples_per_row;       /* for each new row; with chunks at most this many */
    double chunk_share;           /* with chunks: at most this share of the window */
    int rows_first, rows_cycle;   /* rows of the first chunk, and of each further one */
    const WindowSettings *window; /* of chunks ... */
    int64_t random_rows;          /* ... and the rows of random play in it */
} ReplayRatio;

/* The samples that the rows of a run allow in all, but for those that a full bucket dropped. Rows
 * after the first `rows` add more by the other two fields. A later setting never counts rows again.
 * {0}: nothing is known. */
typedef struct {
    int64_t rows;
    double samples; /* for those rows */
    double samples_per_row;
    ReuseRule rule;
} SampleBudget;

/* The chance of a row of the window to be in the chunk of a cycle of new rows:
 *     min(chunk_share, samples_per_row / (window / rows_cycle))
 * (p3achygo: min(.25, 3 / (W / 375000))) */
double sample_budget_chance(const ReplayRatio *ratio, int64_t window);
/* The samples that are allowed when the run has `rows`. */
double sample_budget_at(const ReplayRatio *ratio, const SampleBudget *budget, int64_t rows);
/* The same budget, in which rows that come from now on add samples by `ratio`. Under the rule of
 * chunks only whole chunks are counted; rows after the last one are treated as those to come. */
SampleBudget sample_budget_renewed(const ReplayRatio *ratio, const SampleBudget *budget,
                                   int64_t rows);
/* How many rows the run needs for a budget of `samples`. */
int64_t sample_budget_rows_for(const ReplayRatio *ratio, const SampleBudget *budget,
                               double samples);
