/* run_budget.h - how many samples a run has to train: its sample budget (run/sample_budget.h) by
 * the settings, kept in the index, less those that are trained. Threading: confined. */
#pragma once
#include "run/store/run_plan.h"
#include "run/store/run_rows.h"
#include "run/store/run_store.h"
#include "run/store/sample_budget.h"

typedef struct {
    const RunPlan *plan;
    RunStore *store; /* whose index keeps the budget */
    const RunRows *rows;
    SampleBudget before; /* by the settings before this start; {0}: they are not known */
    SampleBudget now;    /* as it was last counted */
} RunBudget;

void run_budget_init(RunBudget *budget, const RunPlan *plan, RunStore *store, const RunRows *rows);
/* Notes by which settings the rows were to be used that are there at this start. */
void run_budget_note_before(RunBudget *budget);
/* Samples of the budget that are left when `trained` samples are trained; may be less than 0. Keeps
 * the budget in the index. */
MUST_USE Status run_budget_left(RunBudget *budget, int64_t trained, int64_t *left, Error *err);
int64_t run_budget_training_least(const RunPlan *plan); /* samples for which training begins */
int64_t run_budget_training_most(const RunPlan *plan);  /* samples after which a net comes */
/* Rows with which training begins, as far as is known, when `trained` samples are trained. */
int64_t run_budget_rows_needed(const RunBudget *budget, int64_t trained);
