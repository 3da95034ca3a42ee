/* run_plan.h - what one process is to do for a run: its role, the settings, the number of threads
 * and the maximum board size. Threading: immutable once the run is open. */
#pragma once
#include "base/progress.h"
#include "run/store/run_config.h"

/* The kind of work that a process does for the run. With CYCLE_WHOLE it does all kinds. */
typedef enum { CYCLE_WHOLE, CYCLE_PLAYS, CYCLE_TRAINS, CYCLE_GATES } CycleRole;

typedef struct {
    CycleRole role;
    RunConfig config;
    int threads;
    int edge;           /* the largest board side that rows and tensors have room for */
    Progress *progress; /* where the process shows its work; NULL if it does not */
} RunPlan;

/* Returns whether this process does work of this kind. */
bool run_plan_has_part(const RunPlan *plan, CycleRole role);
/* Returns whether this process only plays or only gates. Such a process uses its settings only for
 * itself: if the run has settings already, those of the process are not written to run.cfg. */
bool run_plan_has_own_settings(const RunPlan *plan);
/* Writes a line to the log and to the screen. On the screen the line stays. */
void run_plan_print(const RunPlan *plan, const char *line);
