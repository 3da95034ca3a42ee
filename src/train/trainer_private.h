/* trainer_private.h - the fields of a trainer, for trainer.c and checkpoint.c. Threading: as
 * trainer.h. */
#pragma once
#include "base/thread_team.h"
#include "nn/graph/tensor_file.h"
#include "train/lookahead.h"
#include "train/trainer.h"
#include "train/update_ratios.h"

/* The rows of a batch that one thread learns from, and its results. */
typedef struct {
    Learn *learn;
    Net *replica;     /* with batch norm, the thread's own net, for its statistics; else NULL */
    int first, count; /* rows of the batch */
    Metrics sums;
    SquareSum *squares; /* of the values of each op; NULL if they are not measured */
    Status status;
    Error error;
} BatchShard;

struct Trainer {
    TrainerSetup setup;
    RateSchedule schedule;
    Net *net;
    HeadIndex heads;
    Optimiser *optimiser;
    Averaging *averaging;
    ThreadTeam *team;
    BatchShard *shards; /* one for each thread */
    int threads;
    int pass;             /* maximum boards of one pass through the net */
    float **gradients;    /* of each parameter, means over the batch; NULL if not trained */
    int64_t samples;      /* count of samples learned from, trainer_samples() */
    int64_t origin;       /* the schedule depends on samples - origin */
    int64_t restarted;    /* `samples` at the last restart; 0 if there was none */
    Lookahead *lookahead; /* NULL if it is off */
    /* NULL if no weights are restricted (latent_weights.h). Otherwise the net has the restricted
     * weights. The average and the slow weights of lookahead are made from latent weights. */
    LatentWeights *latent;
    UpdateRatios *ratios; /* NULL if they are not measured */
    double *activations;  /* trainer_activations(); NULL if they are not measured */
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
    /* The batch in progress. */
    const Batch *batch;
    Metrics *rows; /* of each row of the batch; NULL if they are not wanted */
    bool learning;
};

/* Collects the state that decides how training continues: weights, averages, optimiser,
 * counters. */
MUST_USE Status checkpoint_collect(const Trainer *trainer, TensorFile **out, Error *err);
/* Restores a state from checkpoint_collect(), except for Divergence, which only trainer_load()
 * restores. On failure the trainer is unchanged. */
MUST_USE Status checkpoint_apply(Trainer *trainer, const TensorFile *file, Error *err);
