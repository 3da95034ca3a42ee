/* stage_judge.h - compares the losses of the averaged net after a training with those of a net that
 * knows nothing. A worse net is not offered to the gate. The losses are also the run's validation.
 * Threading: confined (threads inside). */
#pragma once
#include "run/stages/run_results.h"
#include "run/stages/run_trainers.h"
#include "run/store/run_rows.h"

/* The parts of the run that judging uses. */
typedef struct {
    const RunPlan *plan;
    RunStore *store;
    const RunClock *clock;
    const RunRows *rows; /* with a loader */
    RunTrainers *trainers;
    RunResults *results;
} JudgeParts;

/* Validates after a training, and sets trainers->ignorant if the averaged net is worse than one
 * that knows nothing, which is logged and counted. A net that has trained for long and still knows
 * nothing begins anew. */
MUST_USE Status stage_judge(const JudgeParts *parts, Error *err);
