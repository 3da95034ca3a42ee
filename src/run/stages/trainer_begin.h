/* trainer_begin.h - what training begins from if there is no checkpoint, or none of use: random
 * weights, or those of the run's newest net, when train/ was lost or the trained net knows nothing.
 * Threading: confined. */
#pragma once
#include "run/store/run_directory.h"
#include "run/store/run_plan.h"
#include "train/trainer.h"

/* A trainer with random weights. Its samples are counted from `samples` on, where its schedule
 * begins. */
MUST_USE Status trainer_begin_random(const RunPlan *plan, const char *arch, int64_t samples,
                                     Trainer **out, Error *err);
/* Describes a trainer for which there is no checkpoint. */
typedef struct {
    const RunPlan *plan;
    const RunDirectory *run;
    const char *arch;
    const char *folder; /* where checkpoints were looked for */
} TrainerBeginSetup;
/* Begins with the weights of the run's newest net if it has this architecture, otherwise with random
 * weights. If the run has a net, a warning says which. */
MUST_USE Status trainer_begin_anew(const TrainerBeginSetup *setup, Trainer **out, Error *err);
/* A net of the trainer's architecture with which training can begin; the caller frees it. It has
 * the weights of the newest accepted net of the run `newest` if that has the same architecture,
 * otherwise, or if `newest` is NULL, random weights. */
MUST_USE Status trainer_begin_net(const RunPlan *plan, const Trainer *trainer,
                                  const RunDirectory *newest, Net **out, Error *err);
