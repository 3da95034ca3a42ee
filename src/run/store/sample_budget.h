/* sample_budget.h - the sample budget of training. It limits how often rows are trained on (the
 * replay ratio). New rows add samples to the budget, and training uses these samples up.
 * Threading: free functions. */
#pragma once
#include "data/window.h"
#include <stdint.h>

typedef enum {
    REUSE_BUCKET, /* each new row adds a number of samples (KataGo, python/train.py) */
    REUSE_CHUNKS  /* each chunk of run.rows_cycle new rows adds a fraction of the window
                     (p3achygo, its shuffler) */
} ReuseRule;

/* Says how many samples new rows add. */
typedef struct {
    ReuseRule rule;
    double samples_per_row; /* samples for each new row; with chunks, their maximum */
    /* The other fields are for chunks. */
    double chunk_fraction;      /* maximum fraction of the window */
    int rows_first, rows_cycle; /* rows of the first chunk, and of each later chunk */
    const WindowSettings *window;
    int64_t random_rows; /* rows of random play in the run */
} ReplayRatio;

/* How many samples a run may train on in all, counted from its beginning. The first `rows` rows of
 * the run allow `samples` samples. The other two fields say how many samples later rows add. So new
 * settings do not change what earlier rows have added. If too many samples waited to be trained on
 * (run.bucket_max), some were dropped; they are not included. {0} means that nothing is known. */
typedef struct {
    int64_t rows;
    double samples;
    double samples_per_row;
    ReuseRule rule;
} SampleBudget;

/* Returns the fraction of a window of `window` rows that is trained on for one chunk of new rows:
 *     min(chunk_fraction, samples_per_row / (window / rows_cycle))
 * In p3achygo it is min(.25, 3 / (W / 375000)). */
double sample_budget_chunk(const ReplayRatio *ratio, int64_t window);
/* Returns how many samples the budget allows in all when the run has `rows` rows. */
double sample_budget_at(const ReplayRatio *ratio, const SampleBudget *budget, int64_t rows);
/* Returns a new budget. For the first `rows` rows it allows as many samples as `budget`, and later
 * rows add samples by `ratio`. If the rule of `budget` is REUSE_CHUNKS, only whole chunks are
 * counted, and rows after the last whole chunk are treated like later rows. */
SampleBudget sample_budget_renewed(const ReplayRatio *ratio, const SampleBudget *budget,
                                   int64_t rows);
/* Returns how many rows the run must have until `samples` samples are allowed. With REUSE_CHUNKS
 * the function looks at most 1,000 chunks ahead. If these are not enough, it returns the number of
 * rows at the end of the last of them. */
int64_t sample_budget_rows_for(const ReplayRatio *ratio, const SampleBudget *budget,
                               double samples);
