/* stage_judge.h - whether a net may be accepted at all, by its losses after a training, which are
 * also the run's validation. Threading: confined (threads inside). */
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

/* After a training: validates, and sets trainers->ignorant where the averaged net is worse than one
 * that knows nothing, which is told and counted. A net that has learned nothing begins anew. */
MUST_USE Status stage_judge(const JudgeParts *parts, Error *err);
