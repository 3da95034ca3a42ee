/* run_budget.h - how many samples a run may train now: its sample budget (sample_budget.h) by the
 * settings, which the index stores, less the samples that are trained already. Threading:
 * confined. */
#pragma once
#include "run/store/run_plan.h"
#include "run/store/run_rows.h"
#include "run/store/run_store.h"
#include "run/store/sample_budget.h"

typedef struct {
    const RunPlan *plan;
    RunStore *store; /* its index stores the budget */
    const RunRows *rows;
    SampleBudget before; /* the rule of the settings before this start; {0}: not known */
    SampleBudget now;    /* as it was last computed */
} RunBudget;

void run_budget_init(RunBudget *budget, const RunPlan *plan, RunStore *store, const RunRows *rows);
/* Remembers the settings of the run.cfg that is there before this start writes its own. They count
 * for the rows that are there already. */
void run_budget_note_before(RunBudget *budget);
/* How many samples of the budget are left when `trained` are trained; may be below 0. Stores the
 * budget in the index. */
MUST_USE Status run_budget_left(RunBudget *budget, int64_t trained, int64_t *left, Error *err);
int64_t run_budget_min_training(const RunPlan *plan); /* training begins with this many samples */
int64_t run_budget_max_training(const RunPlan *plan); /* after this many samples a net is written */
/* How many rows the run needs, by what is known now, for the next training to begin. */
int64_t run_budget_rows_needed(const RunBudget *budget, int64_t trained);
