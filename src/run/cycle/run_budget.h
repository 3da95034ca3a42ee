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
    SampleBudget before; /* only the rule and samples per row that run.cfg had before this start;
                            {0} if it had no settings */
    SampleBudget now;    /* the budget as it was last computed */
} RunBudget;

void run_budget_init(RunBudget *budget, const RunPlan *plan, RunStore *store, const RunRows *rows);
/* Remembers the settings of the present run.cfg, before this start writes its own. If the index
 * stores no budget, these settings decide how many samples are allowed for the rows that the run
 * already has. */
void run_budget_note_before(RunBudget *budget);
/* Sets `*left` to the number of samples of the budget that are left after `trained` samples. It may
 * be negative. If more samples are left than run.bucket_max allows to wait, the surplus is dropped.
 * Stores the budget in the index. */
MUST_USE Status run_budget_left(RunBudget *budget, int64_t trained, int64_t *left, Error *err);
/* If fewer samples than this are left, more rows are played before the next training. */
int64_t run_budget_min_training(const RunPlan *plan);
/* The maximum number of samples of one training. It is run.samples_max, but at least the number of
 * samples that the larger of run.rows_first and run.rows_cycle rows add. */
int64_t run_budget_max_training(const RunPlan *plan);
/* How many rows the run must have for the next training to begin, as far as this is known now. */
int64_t run_budget_rows_needed(const RunBudget *budget, int64_t trained);
