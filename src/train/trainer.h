/* trainer.h - turns batches into a better net: forward pass, losses and backward pass on T
 * executors that share the net, then one optimiser step, averaging and checkpoints.
 *
 * Usage: trainer_new(), trainer_load() to resume, trainer_step() for each batch; now and then
 * trainer_measure() for validation, trainer_averaged_net() for the net to play with,
 * trainer_save().
 *
 * The same batches, initial net and number of threads give the same bytes. When training diverges,
 * or a loss, a gradient or a weight is not finite, the trainer returns to its last good state and
 * continues from there with a smaller learning rate (divergence.h); this is a *setback*. Threading:
 * confined (it runs its own threads inside). */
#pragma once
#include "nn/learn/learn.h"
#include "nn/learn/optimiser.h"
#include "nn/learn/schedule.h"
#include "train/averaging.h"
#include "train/divergence.h"
#include "train/objective.h"

typedef enum { TRAINER_F32, TRAINER_BF16, TRAINER_AUTO } TrainerPrecision;
typedef struct {
    int threads;    /* 0: 1 */
    int precision;  /* TrainerPrecision; auto: bf16 where the processor supports it */
    int accumulate; /* batches whose gradients are averaged into one step */
    struct {
        int steps;       /* between two updates of the slow weights; 0: off */
        double fraction; /* alpha of lookahead.h */
    } lookahead;         /* lookahead.h */
    double clip_median;  /* gradients are clipped to this many medians of recent norms; 0: never */
    struct {
        double rmax, dmax; /* final limits */
        int64_t samples;   /* samples after which 1/e of the way to them is left */
    } renorm;              /* batch renorm (renorm.h) */
} TrainerSettings;
extern const SettingsField TRAINER_FIELDS[];

typedef struct {
    TrainerSettings trainer;
    ObjectiveSettings objective;
    OptimiserSettings optimiser;
    ScheduleSettings schedule;
    AveragingSettings averaging;
    DivergenceSettings divergence;
    int64_t samples; /* where the count of samples starts */
    int64_t origin; /* the count at which the weights were random: the schedule starts there, and so
                      * does the first period of the average */
    int batch;      /* maximum rows of a batch */
    int length;     /* width and height of a batch's boards */
} TrainerSetup;

typedef struct Trainer Trainer;
/* ERR_ARGUMENT, ERR_SYNTAX: a setting does not fit the net or the other settings. ERR_MEMORY. */
MUST_USE Status trainer_new(const TrainerSetup *setup, Net *net /* taken */, Trainer **out,
                            Error *err);
void trainer_free(Trainer *trainer);

enum { SETBACKS_MAX = 10 };
/* Learns from one batch of at most `setup.batch` rows; `*out`: the means over this batch. With
 * trainer.accumulate above 1, only every so many calls make a step; gradients that are not yet part
 * of a step are not saved.
 *
 * When the loss, the gradient or a weight is not finite, or training has diverged, the trainer
 * returns to its last good state: one from which training continued well for at least
 * averaging.period_samples, or the initial one. The learning rate is then smaller for a while, and
 * trainer_setbacks() has grown.
 * ERR_ARGUMENT: the batch has another shape; or the trainer would have to return once more after
 * SETBACKS_MAX setbacks none of which came further than the first. */
MUST_USE Status trainer_step(Trainer *trainer, const Batch *batch, Metrics *out, Error *err);
/* To be called when training pauses: if a weight is not finite since the last step, the trainer
 * returns to its last good state, as in trainer_step(). ERR_ARGUMENT: too many setbacks, likewise. */
MUST_USE Status trainer_settle(Trainer *trainer, Error *err);
/* Starts again from the weights of `net`, a net of the same program, with a fresh optimiser and a
 * fresh average. The learning rate is smaller for a while, and the restart counts as a setback for
 * `reason`. Meant for a net that has learned nothing, whose last good state is no better.
 * ERR_MEMORY: the trainer can then only be freed. */
MUST_USE Status trainer_restart(Trainer *trainer, const Net *net, const char *reason, Error *err);
/* Samples since the weights were random or since the last trainer_restart(). */
int64_t trainer_own_samples(const Trainer *trainer);
/* How many setbacks and restarts there were in the whole training, earlier processes included. */
int64_t trainer_setbacks(const Trainer *trainer);
/* Describes the latest setback; "": there was none since trainer_new(). */
const char *trainer_setback_text(const Trainer *trainer);
/* Batches of the whole training whose loss or gradient was an outlier (divergence.h). */
int64_t trainer_outliers(const Trainer *trainer);
/* The metrics of a batch without a step, for validation. */
MUST_USE Status trainer_measure(Trainer *trainer, const Batch *batch, Metrics *out, Error *err);
/* The same with the weights of `net`, a net of the same program, for example the averaged one.
 * Afterwards both nets are as before. */
MUST_USE Status trainer_measure_net(Trainer *trainer, Net *net, const Batch *batch, Metrics *out,
                                    Error *err);
int64_t trainer_samples(const Trainer *trainer);
const Net *trainer_net(const Trainer *trainer);
/* A new net with the averaged weights, which the caller frees. */
MUST_USE Status trainer_averaged_net(const Trainer *trainer, Net **out, Error *err);
/* Writes weights, momentum, averages, counters and a checksum; atomic. While recent batches are
 * suspected of divergence, the last good state is written instead, because whatever is loaded
 * counts as good. */
MUST_USE Status trainer_save(const Trainer *trainer, const char *path, Error *err);
/* The count of samples of the state that trainer_save() would write now. */
int64_t trainer_saved_samples(const Trainer *trainer);
/* Continues with the same numbers as the trainer that saved, its origin included (0 if the
 * checkpoint does not name one). ERR_SYNTAX: the file is not a checkpoint of this net and
 * optimiser, is cut short, or was changed; the trainer is then as before. */
MUST_USE Status trainer_load(Trainer *trainer, const char *path, Error *err);
