/* stage_train.h - one training of a run on a given number of samples: steps, checkpoints, metrics,
 * and the judgement of the net. Threading: confined (threads inside). */
#pragma once
#include "run/stages/run_screen.h"

/* The parts of the run that training uses. */
typedef struct {
    const RunPlan *plan;
    RunStore *store;
    RunClock *clock;
    RunRows *rows;
    RunTrainers *trainers;
    RunResults *results;
    const RunScreen *screen;
} TrainParts;

/* Trains on as many whole batches as fit into this number of samples. Ends earlier if work must
 * stop. Then writes checkpoints and metrics, and judges the net (stage_judge.h). ERR_ARGUMENT: the
 * run has no rows yet. */
MUST_USE Status stage_train(const TrainParts *parts, int64_t samples, Error *err);
