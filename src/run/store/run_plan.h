/* run_plan.h - by what one process works on a run: its role, the settings and what follows from
 * them. Threading: immutable once the run is open. */
#pragma once
#include "base/progress.h"
#include "run/store/run_config.h"

/* What kind of work a process does for the run; CYCLE_WHOLE does all of it. */
typedef enum { CYCLE_WHOLE, CYCLE_PLAYS, CYCLE_TRAINS, CYCLE_GATES } CycleRole;

typedef struct {
    CycleRole role;
    RunConfig config;
    int threads;
    int edge;           /* of the boards that rows and tensors have room for */
    Progress *progress; /* where the process shows its work; NULL: nowhere */
} RunPlan;

/* Whether work of this kind is done here. */
bool run_plan_has_part(const RunPlan *plan, CycleRole role);
/* Whether the process keeps its settings to itself where the run has some. */
bool run_plan_has_own_settings(const RunPlan *plan);
/* Says a line in the log, and on the screen where it stays. */
void run_plan_tell(const RunPlan *plan, const char *line);
