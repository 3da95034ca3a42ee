/* trainer_begin.h - makes trainers and nets if there is no checkpoint that can be used:
 *   - A new run and each larger net begin with random weights.
 *   - If train/ was lost, training begins with the weights of the run's newest net if this net has
 *     the same architecture, and otherwise with random weights.
 *   - If the trained net knows nothing, training begins in the same way, but if the newest net
 *     knows nothing either, it begins with random weights (stage_judge.c).
 * Threading: confined. */
#pragma once
#include "run/store/run_directory.h"
#include "run/store/run_plan.h"
#include "train/trainer.h"

/* Makes a trainer with random weights. Its count of samples begins at `samples`, and there its
 * schedule of learning rates begins, too. */
MUST_USE Status trainer_begin_random(const RunPlan *plan, const char *arch, int64_t samples,
                                     Trainer **out, Error *err);
/* Describes a trainer for which there is no checkpoint. */
typedef struct {
    const RunPlan *plan;
    const RunDirectory *run;
    const char *arch;
    const char *folder; /* the folder that has no checkpoint, for messages */
} TrainerBeginSetup;
/* Makes a trainer. If the run's newest net has this architecture, the trainer gets the weights and
 * the count of samples of this net. Otherwise it gets random weights, and its count of samples
 * begins at 0. If the run has a net, a warning says which of the two happened. */
MUST_USE Status trainer_begin_anew(const TrainerBeginSetup *setup, Trainer **out, Error *err);
/* Makes a net with the trainer's architecture, from which training can begin. The caller frees the
 * net. `newest` is a run or NULL. If the newest accepted net of this run has the same architecture,
 * the new net gets its weights. Otherwise the new net gets random weights. */
MUST_USE Status trainer_begin_net(const RunPlan *plan, const Trainer *trainer,
                                  const RunDirectory *newest, Net **out, Error *err);
