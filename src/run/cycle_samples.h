/* cycle_samples.h - how many samples a cycle has to train: what its rows have earned (run/reuse.h)
 * by its settings, kept in the index. Threading: confined. */
#pragma once
#include "run/cycle.h"

/* Training samples that the rows so far have earned and that were not yet taken; of the process
 * that trains, which keeps what they earned in the index. */
MUST_USE Status cycle_samples_owed(Cycle *cycle, int64_t *owed, Error *err);
int64_t cycle_samples_least(const Cycle *cycle); /* for which training begins */
int64_t cycle_samples_most(const Cycle *cycle);  /* after which a net comes */
int64_t cycle_rows_needed(const Cycle *cycle);   /* with which it begins, as far as is known */
