/* run_budget.h - how many samples a run may train on now: its sample budget (sample_budget.h) minus
 * the samples that it has trained on already. The budget follows from the settings and the rows,
 * and is stored in the index. Threading: confined. */
#pragma once
#include "run/store/run_plan.h"
#include "run/store/run_rows.h"
#include "run/store/run_store.h"
#include "run/store/sample_budget.h"

typedef struct {
    const RunPlan *plan;
    RunStore *store; /* its index stores the budget */
    const RunRows *rows;
    SampleBudget before; /* only the rule and the samples per row that run.cfg had before this
                            start; {0} if run.cfg had no settings */
    SampleBudget now;    /* the budget as it was last computed */
} RunBudget;

void run_budget_init(RunBudget *budget, const RunPlan *plan, RunStore *store, const RunRows *rows);
/* Remembers the settings of the present run.cfg, before this start writes its own. If the index
 * stores no budget, these settings decide how many samples are allowed for the rows that the run
 * already has. */
void run_budget_note_before(RunBudget *budget);
/* Sets `*left` to the number of samples that the budget still allows after `trained` samples. It
 * may be negative. If it is above run.bucket_max, the surplus is dropped. Stores the budget in the
 * index. */
MUST_USE Status run_budget_left(RunBudget *budget, int64_t trained, int64_t *left, Error *err);
/* Returns the minimum number of samples for a training. If fewer samples are left, more rows are
 * played first. */
int64_t run_budget_min_training(const RunPlan *plan);
/* Returns the maximum number of samples of one training. It is run.samples_max, but at least the
 * number of samples that run.rows_first or run.rows_cycle rows add, whichever is larger. */
int64_t run_budget_max_training(const RunPlan *plan);
/* Returns how many rows the run must have before the next training begins, as far as this is known
 * now. */
int64_t run_budget_rows_needed(const RunBudget *budget, int64_t trained);
