#include "run/store/run_plan.h"

#include "base/log.h"

bool run_plan_has_part(const RunPlan *plan, CycleRole role) {
    return plan->role == CYCLE_WHOLE || plan->role == role;
}

bool run_plan_has_own_settings(const RunPlan *plan) {
    return plan->role == CYCLE_PLAYS || plan->role == CYCLE_GATES;
}

void run_plan_print(const RunPlan *plan, const char *line) {
    log_info("%s", line);
    if (plan->progress) progress_print(plan->progress, line);
}
