/* stage_judge.h - compares the losses of the averaged net after a training with those of a net that
 * knows nothing. If the averaged net is worse, it is not offered to the gate. If games are kept for
 * validation, the losses are measured on the rows of these games, and the losses of both the
 * trained net and the averaged net are added to the validation curves. Otherwise the losses are
 * measured on the next rows of training. Threading: confined (threads inside). */
#pragma once
#include "run/stages/run_results.h"
#include "run/stages/run_trainers.h"
#include "run/store/run_rows.h"

/* The parts of the run that judging uses. */
typedef struct {
    const RunPlan *plan;
    RunStore *store;
    const RunClock *clock;
    const RunRows *rows; /* must have a loader */
    RunTrainers *trainers;
    RunResults *results;
} JudgeParts;

/* Measures the averaged net after a training. Sets trainers->ignorant to whether this net is worse
 * than a net that knows nothing. If it is worse, this is logged and counted. If it has also trained
 * for long, training begins anew. */
MUST_USE Status stage_judge(const JudgeParts *parts, Error *err);
