/* trainer_begin.h - what training begins from where no checkpoint is there, or is of use: random
 * weights, or those of the newest net of a run whose train/ was lost or whose net has learned
 * nothing. Threading: confined. */
#pragma once
#include "run/store/run_directory.h"
#include "run/store/run_plan.h"
#include "train/trainer.h"

/* A trainer of random weights, whose count of samples goes on from `samples`, where its schedule
 * begins. */
MUST_USE Status trainer_begin_random(const RunPlan *plan, const char *arch, int64_t samples,
                                     Trainer **out, Error *err);
/* A trainer for which there is no checkpoint. */
typedef struct {
    const RunPlan *plan;
    const RunDirectory *run;
    const char *arch;
    const char *folder; /* where checkpoints were looked for */
} TrainerBeginSetup;
/* It goes on from the newest net of the run if that is such a net, and says so; else its weights
 * are random, which is said where there is a net. */
MUST_USE Status trainer_begin_anew(const TrainerBeginSetup *setup, Trainer **out, Error *err);
/* A net of the trainer's kind with which training can begin, the caller's: of the weights of the
 * newest accepted net of the run `newest` where that is of the kind, else (NULL: always) of random
 * weights. */
MUST_USE Status trainer_begin_net(const RunPlan *plan, const Trainer *trainer,
                                  const RunDirectory *newest, Net **out, Error *err);
