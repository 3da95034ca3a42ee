/* trainer_private.h - the fields of a trainer, for trainer.c and checkpoint.c. Threading: as
 * trainer.h. */
#pragma once
#include "nn/graph/tensor_file.h"
#include "train/batch_run.h"
#include "train/lookahead.h"
#include "train/trainer.h"
#include "train/update_ratios.h"

struct Trainer {
    TrainerSetup setup;
    RateSchedule schedule;
    Net *net;
    HeadIndex heads;
    Optimiser *optimiser;
    Averaging *averaging;
    BatchRun *run; /* has the mean gradients over the batches that wait for a step */
    int threads;
    int64_t samples;      /* count of samples learned from, trainer_samples() */
    int64_t origin;       /* the schedule depends on samples - origin */
    int64_t restarted;    /* `samples` at the last restart; 0 if there was none */
    Lookahead *lookahead; /* NULL if it is off */
    /* NULL if no weights are restricted (latent_weights.h). Otherwise the net has the restricted
     * weights. The average and the slow weights of lookahead are made from latent weights. */
    LatentWeights *latent;
    UpdateRatios *ratios; /* NULL if they are not measured */
    int pending_batches;  /* number of batches whose gradients wait for the next step */
    int pending_rows;     /* number of rows in these batches */
    double gradient_norm; /* of the last step */
    double unowned;       /* running mean of the fraction of points that nobody owns at the end */
    Divergence divergence;
    TensorFile *good_state;  /* what a setback returns to */
    TensorFile *newer_state; /* becomes the good state a period later; NULL if there is none yet */
    int64_t furthest;        /* the highest count of samples at which training failed */
    int stuck_setbacks;      /* 1 for the failure at `furthest`, plus the failures after it */
    Error setback;           /* describes the last setback */
};

/* Collects the state that decides how training continues: weights, averages, optimiser,
 * counters. */
MUST_USE Status checkpoint_collect(const Trainer *trainer, TensorFile **out, Error *err);
/* Restores a state from checkpoint_collect(), except for Divergence, which only trainer_load()
 * restores. On failure the trainer is unchanged. */
MUST_USE Status checkpoint_apply(Trainer *trainer, const TensorFile *file, Error *err);
