/* run_plan.h - what one process is to do for a run: its role, the settings, and what follows from
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
    int edge;           /* the largest board side that rows and tensors have room for */
    Progress *progress; /* where the process shows its work; NULL: nowhere */
} RunPlan;

/* Whether this process does work of this kind. */
bool run_plan_has_part(const RunPlan *plan, CycleRole role);
/* Whether the settings of this process are not written to a run that has settings already. */
bool run_plan_has_own_settings(const RunPlan *plan);
/* Writes a line to the log and to the screen, where it stays. */
void run_plan_print(const RunPlan *plan, const char *line);
