/* trainer.h - turns batches into a better net: forward, losses, backward on T executors that share
 * the net, one optimiser step, averaging, checkpoints. The same batches, seed of the net and thread
 * count give the same bytes. Training that diverges, or comes to what is not finite, goes back to
 * its last good state and goes on from there with smaller steps (divergence.h). Threading: confined
 * (threads inside). */
#pragma once
#include "nn/learn.h"
#include "nn/optimiser.h"
#include "nn/schedule.h"
#include "train/averaging.h"
#include "train/divergence.h"
#include "train/objective.h"

typedef enum { TRAINER_F32, TRAINER_BF16, TRAINER_AUTO } TrainerPrecision;
typedef struct {
    int threads;    /* 0: 1 */
    int precision;  /* TrainerPrecision; auto: bf16 where the processor has it */
    int accumulate; /* batches whose gradients make one step */
    int lookahead;  /* steps until slow weights follow; 0: there are none */
    float lookahead_share;
    float clip_median; /* longest gradient in medians of the last ones' norms; 0: any */
    float renorm_rmax, renorm_dmax; /* limits of batch renorm in the end, and ... */
    int64_t renorm_samples;         /* ... samples until all but 1/e of them */
} TrainerSettings;
extern const ConfigField TRAINER_FIELDS[];

typedef struct {
    TrainerSettings trainer;
    ObjectiveSettings objective;
    OptimiserConfig optimiser;
    ScheduleConfig schedule;
    AveragingSettings averaging;
    DivergenceSettings divergence;
    int64_t samples; /* at which its count begins, for the average too */
    int64_t origin;  /* the count at which the weights were random: the schedule begins there */
    int batch, length;
} TrainerSetup;

typedef struct Trainer Trainer;
/* ERR_ARGUMENT, ERR_SYNTAX: a setting does not fit the net or the others; ERR_MEMORY. */
MUST_USE Status trainer_new(const TrainerSetup *setup, Net *net /* taken */, Trainer **out,
                            Error *err);
void trainer_free(Trainer *trainer);
/* One step on at most `setup.batch` rows; `*out`: means of this batch. With trainer.accumulate,
 * every so many calls are one step; gradients that wait are not saved. Where the loss, the gradient
 * or a weight is not finite, or training has diverged, the trainer stands at its last good state
 * afterwards (one that training went on from for averaging.period_samples, or the first), its rate
 * is smaller for a while, and trainer_setbacks() has grown. ERR_ARGUMENT: a batch of another shape;
 * or it had gone back SETBACKS_MAX times without coming further, and would have to again. */
MUST_USE Status trainer_step(Trainer *trainer, const Batch *batch, Metrics *out, Error *err);
enum { SETBACKS_MAX = 10 };
/* Begins anew from the weights of `net`, a net of the same program, for which optimiser and average
 * are as at first; the rate is smaller for a while, and it counts as a setback for `reason`. For a
 * net that has learned nothing: its last good state is no better. ERR_MEMORY: the trainer can then
 * only be freed. */
MUST_USE Status trainer_restart(Trainer *trainer, const Net *net, const char *reason, Error *err);
/* Samples since the weights were random or the trainer began anew. */
int64_t trainer_own_samples(const Trainer *trainer);
/* How often the trainer went back, or began anew, in its whole training. */
int64_t trainer_setbacks(const Trainer *trainer);
/* Why it did the last time; "": it did not since it was made. */
const char *trainer_setback_text(const Trainer *trainer);
/* Batches of its whole training whose loss or gradient was an outlier (divergence.h). */
int64_t trainer_outliers(const Trainer *trainer);
MUST_USE Status trainer_measure(Trainer *trainer, const Batch *batch, Metrics *out,
                                Error *err); /* no step; for validation */
/* The same by the weights of `net`, a net of the same program: the averaged one's, say. It and the
 * trainer's own are as before then. */
MUST_USE Status trainer_measure_net(Trainer *trainer, Net *net, const Batch *batch, Metrics *out,
                                    Error *err);
int64_t trainer_samples(const Trainer *trainer);
const Net *trainer_net(const Trainer *trainer);
/* The averaged weights as a net of its own. */
MUST_USE Status trainer_averaged_net(const Trainer *trainer, Net **out, Error *err);
/* Weights, momentum, averages, counters, checksum; atomic. While outliers are under watch it is the
 * last good state that is written: what is loaded counts as good. */
MUST_USE Status trainer_save(const Trainer *trainer, const char *path, Error *err);
/* Of the state that trainer_save() would write now. */
int64_t trainer_saved_samples(const Trainer *trainer);
/* The trainer goes on with the same numbers as the one that saved, its origin among them (0 where
 * the checkpoint says none). ERR_SYNTAX: not a checkpoint of
 * this net and optimiser, cut short, or changed; the trainer is as before then. */
MUST_USE Status trainer_load(Trainer *trainer, const char *path, Error *err);
