/* trainer_begin.h - makes trainers and nets when there is no checkpoint that can be used. A new
 * run, and each larger net, begins with random weights. If train/ was lost, training begins from
 * the weights of the run's newest net, provided that this net has the same architecture. If the
 * trained net knows nothing, training begins in the same way, but only if the newest net knows
 * something (stage_judge.c). Otherwise it begins with random weights. Threading: confined. */
#pragma once
#include "run/store/run_directory.h"
#include "run/store/run_plan.h"
#include "train/trainer.h"

/* Makes a trainer with random weights. Its count of samples begins at `samples`. Its schedule of
 * learning rates begins anew at this count. */
MUST_USE Status trainer_begin_random(const RunPlan *plan, const char *arch, int64_t samples,
                                     Trainer **out, Error *err);
/* Describes a trainer for which there is no checkpoint. */
typedef struct {
    const RunPlan *plan;
    const RunDirectory *run;
    const char *arch;
    const char *folder; /* the folder that has no checkpoint, for messages */
} TrainerBeginSetup;
/* Makes a trainer with the weights of the run's newest net if it has this architecture, and
 * otherwise with random weights. If the run has a net, a warning says which of the two was done.
 * The count of samples begins at that of this net, or at 0 with random weights. */
MUST_USE Status trainer_begin_anew(const TrainerBeginSetup *setup, Trainer **out, Error *err);
/* Makes a net with the trainer's architecture, from which training can begin. The caller frees it.
 * `newest` is the run whose newest accepted net is looked at, or NULL. If that net has the same
 * architecture, the new net gets its weights. Otherwise it gets random weights. */
MUST_USE Status trainer_begin_net(const RunPlan *plan, const Trainer *trainer,
                                  const RunDirectory *newest, Net **out, Error *err);
