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

/* Trains on this many samples, writes checkpoints and metrics, and judges the net
 * (stage_judge.h). */
MUST_USE Status stage_train(const TrainParts *parts, int64_t samples, Error *err);
