/* trainer.h - trains a net with batches. Several threads, each with an executor of the net, run the
 * forward pass, the losses and the backward pass. Then the optimiser makes one step. The trainer
 * also keeps the averaged net, and writes and reads checkpoints.
 *
 * Use: trainer_new(), then trainer_load() to resume, then trainer_step() for each batch. Now and
 * then call trainer_measure() for validation, trainer_averaged_net() for the net to play with, and
 * trainer_save().
 *
 * The same batches, initial net and number of threads give the same bytes. If training diverges, or
 * if a loss, a gradient or a weight is not finite, the trainer makes a *setback*: it returns to its
 * last good state and continues from there with a smaller learning rate (divergence.h).
 * Threading: confined (it runs its own threads inside). */
#pragma once
#include "nn/learn/learn.h"
#include "train/training_settings.h"

typedef struct {
    TrainingSettings training;
    int64_t samples; /* where the count of samples starts */
    int64_t origin;  /* the count of samples at which the weights were random; the schedule and the
                      * first period of the average start there */
    uint64_t seed;   /* seed of dropout (nn/ops/dropout.c) */
    int batch;       /* maximum rows of a batch */
    int length;      /* width and height of the squares of cells, called frames, in which a batch
                      * holds its boards (Batch.length) */
} TrainerSetup;

typedef struct Trainer Trainer;
/* Makes a trainer. The trainer owns the net from now on; on failure the net is freed. ERR_ARGUMENT,
 * ERR_SYNTAX: a setting does not fit the net or the other settings. ERR_MEMORY. */
MUST_USE Status trainer_new(const TrainerSetup *setup, Net *net /* taken */, Trainer **out,
                            Error *err);
void trainer_free(Trainer *trainer);

enum { SETBACKS_MAX = 10 };
/* Learns from one batch of at most `setup.batch` rows, and sets `*out` to the means over this
 * batch. If trainer.accumulate is k > 1, only every k-th call makes a step. Gradients that wait for
 * the next step are not part of checkpoints.
 *
 * If the loss, the gradient or a weight is not finite, or if training has diverged, the trainer
 * returns to its last good state. This is a state from which training continued well for at least
 * averaging.period_samples. If there is no such state yet, it is the state after trainer_new(),
 * trainer_load() or trainer_restart(). The learning rate is then smaller for a while, and
 * trainer_setbacks() returns a higher number.
 *
 * ERR_ARGUMENT: the batch has no rows or too many rows, has frames of another length, or lacks
 * targets that the net learns. Or the trainer gives up: training failed more than SETBACKS_MAX
 * times, and after the first of these failures it never reached more samples. */
MUST_USE Status trainer_step(Trainer *trainer, const Batch *batch, Metrics *out, Error *err);
/* Call this when training pauses. If the last step made a weight infinite or NaN, the trainer
 * returns to its last good state, as in trainer_step(). ERR_ARGUMENT: the trainer gives up after
 * too many setbacks, as in trainer_step(). */
MUST_USE Status trainer_settle(Trainer *trainer, Error *err);
/* Starts again from the weights of `net`, a net of the same program, with a fresh optimiser and a
 * fresh average. The learning rate is smaller for a while. The restart counts as a setback, and
 * `reason` is for its text. Use this for a net that has learned nothing, because a return to the
 * last good state would not help it. ERR_MEMORY: the trainer can then only be freed. */
MUST_USE Status trainer_restart(Trainer *trainer, const Net *net, const char *reason, Error *err);
/* Returns the samples since the weights were random (TrainerSetup.origin) or since the last
 * trainer_restart(), whichever was later. */
int64_t trainer_own_samples(const Trainer *trainer);
/* Returns the number of setbacks and restarts so far, in earlier processes too. */
int64_t trainer_setbacks(const Trainer *trainer);
/* Returns a description of the latest setback. It is empty if there was none since
 * trainer_new(). */
const char *trainer_setback_text(const Trainer *trainer);
/* Returns how many batches so far, in earlier processes too, were outliers by loss or gradient norm
 * (divergence.h). */
int64_t trainer_outliers(const Trainer *trainer);
/* Computes the metrics of a batch without learning from it, for validation. */
MUST_USE Status trainer_measure(Trainer *trainer, const Batch *batch, Metrics *out, Error *err);
/* Does the same, and also sets rows[i] to the metrics of row i of the batch. These are sums: they
 * are not yet divided by the weight of the row (Metrics.rows). */
MUST_USE Status trainer_measure_rows(Trainer *trainer, const Batch *batch, Metrics *rows,
                                     Metrics *out, Error *err);
/* Does the same as trainer_measure(), but with the weights of `net`, a net of the same program such
 * as the averaged net. Afterwards both nets are unchanged. */
MUST_USE Status trainer_measure_net(Trainer *trainer, Net *net, const Batch *batch, Metrics *out,
                                    Error *err);
/* From now on, measures how long each op takes (learn_time_ops()). A further call sets all times to
 * 0. ERR_MEMORY. */
MUST_USE Status trainer_time_ops(Trainer *trainer, Error *err);
/* Sets out[op] to the time of each op of the net, summed over the threads, after
 * trainer_time_ops(). */
void trainer_op_times(const Trainer *trainer, OpTime *out);
/* Returns the update ratio of each parameter of the net in the last step (update_ratios_values()),
 * or NULL if trainer.update_ratios is false. */
const double *trainer_update_ratios(const Trainer *trainer);
/* Returns the mean square of the values of each op of the net, over the rows of the last batch that
 * the trainer has learned from, the points on their boards and the channels. A mean is NAN if there
 * was no batch yet, or if the values of the op are not kept (learn_square_sum()). Returns NULL if
 * trainer.activations is false. */
const double *trainer_activations(const Trainer *trainer);
int64_t trainer_samples(const Trainer *trainer);
const Net *trainer_net(const Trainer *trainer);
/* Makes a new net with the averaged weights. The caller frees the net. */
MUST_USE Status trainer_averaged_net(const Trainer *trainer, Net **out, Error *err);
/* Writes a checkpoint with weights, optimiser state, average, counts and a checksum. An existing
 * file is replaced in one step. After an outlier, while the `suspicion` of divergence.h is above 0,
 * the last good state is written instead, because a state counts as good when it is loaded.
 * ERR_ARGUMENT: a weight is not finite. ERR_IO, ERR_MEMORY. */
MUST_USE Status trainer_save(const Trainer *trainer, const char *path, Error *err);
/* Returns the count of samples of the state that trainer_save() would write now. */
int64_t trainer_saved_samples(const Trainer *trainer);
/* Reads a checkpoint. Afterwards this trainer continues as the trainer that saved it would have
 * continued. The origin becomes that of the checkpoint, or 0 if the checkpoint has none. On failure
 * the trainer is unchanged.
 * ERR_SYNTAX: the file is not a checkpoint of this net and optimiser, is cut short, or was changed.
 * ERR_UNSUPPORTED: a newer version of the program wrote it. ERR_IO, ERR_MEMORY. */
MUST_USE Status trainer_load(Trainer *trainer, const char *path, Error *err);
