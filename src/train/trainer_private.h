/* trainer_private.h - a trainer from inside. Threading: as trainer.h. */
#pragma once
#include "base/thread_team.h"
#include "train/lookahead.h"
#include "train/trainer.h"

/* What one thread does of a batch. */
typedef struct {
    Learn *learn;
    Net *
        replica; /* nets with batch norm: a net of its own, for the running statistics; else NULL */
    int first, count;
    Metrics sums;
    Status status;
    Error error;
} Share;

struct Trainer {
    TrainerSetup setup;
    RateSchedule schedule;
    Net *net;
    HeadIndex heads;
    Optimiser *optimiser;
    Averaging *averaging;
    ThreadTeam *team;
    Share *shares;
    int threads, pass;       /* boards of one pass through the net */
    float **gradients;       /* by parameter, means over the batch; NULL: not trained */
    int64_t samples, origin; /* the schedule goes by how far samples are from origin */
    int64_t restarted;       /* samples of the last restart; 0: none since it was made */
    Lookahead *lookahead;    /* NULL: there is none */
    int waiting;             /* batches whose gradients wait for their step */
    int waiting_rows;
    double gradient_norm; /* of the last step */
    double unowned;       /* mean share of points that nobody owns; for auxiliary heads */
    Divergence watch;
    TensorFile *good,
        *newer;       /* the state to go back to; the newest, which becomes it (NULL: none) */
    int64_t farthest; /* samples of the last setback that came further than those before */
    int setbacks;     /* since then */
    Error setback;    /* why it last went back */
    /* Of the batch under way. */
    const Batch *batch;
    bool learning;
};

/* All that decides how training goes on, into a container of tensors, and back. */
MUST_USE Status checkpoint_collect(const Trainer *trainer, TensorFile **out, Error *err);
/* On failure the trainer is as before. */
MUST_USE Status checkpoint_apply(Trainer *trainer, const TensorFile *file, Error *err);
