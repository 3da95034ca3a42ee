/* trainers.h - the trainer of a cycle and, where run.larger_arch is wanted, that of the larger net
 * beside it: their start, steps, checkpoints, and which of them makes the nets. Threading:
 * confined, but for trainers_larger_text(), which is for whoever shows the cycle while its thread
 * waits. */
#pragma once
#include "run/cycle.h"
#include "train/trainer.h"

/* The larger net that trains beside the one that plays. */
typedef struct {
    int took;              /* so many took over: the cycle's own trainer is the last one's */
    Trainer *trainer;      /* the next one's; NULL: not yet, or no more */
    double own_loss, loss; /* policy and value, summed over a training's batches ... */
    int compared;          /* ... of which there were so many */
    bool over;             /* given up until a new start: it went back again and again */
    double own_mean, mean; /* of the last training that could decide; 0: none yet */
    char took_text[96];    /* when and with what losses the last one took over */
} LargerNet;

/* A name ("": none) in the folder of the k-th larger net, from 0 on. */
MUST_USE Status trainers_larger_path(const RunDirectory *run, int k, const char *name, Path *out,
                                     Error *err);
/* A trainer of random weights, whose count of samples goes on from `samples`, where its schedule
 * begins. */
MUST_USE Status trainer_make(const Cycle *cycle, const char *arch, int64_t samples, Trainer **out,
                             Error *err);
/* One for which `folder` has no checkpoint: it goes on from the newest net of the run if that is
 * such a net, and says so; else its weights are random, which is said where there is a net. */
MUST_USE Status trainer_begin(const Cycle *cycle, const char *arch, const char *folder,
                              Trainer **out, Error *err);
/* The trainers, from the newest checkpoints that are whole; broken ones are set aside. */
MUST_USE Status trainers_open(Cycle *cycle, Error *err);
void trainers_free(Cycle *cycle);
/* Before a training: a larger net begins when it is time, or is given up. */
MUST_USE Status trainers_begin(Cycle *cycle, Error *err);
/* One batch for all nets; `*metrics` are the first one's. As trainer_step(); a larger net for which
 * that fails is given up until a new start. A net that goes back to its last good state is told of
 * and counted, and checkpoints newer than that state are removed. */
MUST_USE Status trainers_step(Cycle *cycle, const Batch *batch, Metrics *metrics, Error *err);
/* After a net went back, or began anew: tells why, by the name of the net, counts it, and replaces
 * checkpoints that are newer than its state by one of that. */
void trainers_went_back(Cycle *cycle, const char *name, const Trainer *trainer);
/* A net of the trainer's kind that training can begin with, the caller's: `newest`, the newest
 * accepted one where that is of the kind; else one of random weights. */
MUST_USE Status trainers_first_net(const Cycle *cycle, bool newest, Net **out, Error *err);
/* Takes up checkpoints of another process that are newer. */
MUST_USE Status trainers_renew(Cycle *cycle, Error *err);
/* Writes checkpoints and removes old ones. */
MUST_USE Status trainers_save(Cycle *cycle, Error *err);
typedef struct {
    char text[256];
} LargerText;
LargerText trainers_larger_text(const Cycle *cycle); /* how it is with it; "": none is wanted */
/* After a training whose checkpoints are written: the larger net takes over where its loss was
 * lower. */
MUST_USE Status trainers_compare(Cycle *cycle, Error *err);
