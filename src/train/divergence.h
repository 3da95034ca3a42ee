/* divergence.h - notices when the loss or the gradient norm of a training leaves its recent range.
 * Each time training returns to a good state, it lowers the learning rate for a while. It sees only
 * the loss and the gradient norm of each batch, so it does not depend on what is trained.
 * Threading: confined.
 *
 * How it works:
 *   1. A batch is an outlier if its loss or its gradient norm is above a multiple of the median
 *      over the history, or if its loss is above a multiple of the first batch's loss. The history
 *      consists of the last DIVERGENCE_HISTORY batches that were no outliers. As long as it has
 *      fewer than 16 batches, its medians are not used.
 *   2. Training becomes *suspect* after a few outliers in a row, or after a while in which more
 *      than one batch in four was an outlier.
 *   3. The caller then runs the same batch with the weights of the last good state, to find out
 *      whether the weights have diverged.
 *   4. If they have, the caller returns to the good weights (a *setback*). The
 *      learning rate has a factor, which is 1 at first. Each setback multiplies the factor by
 *      `setback_rate`, but it does not fall below 0.001.
 *   5. The factor doubles after every `setback_samples` * s samples, until it is 1 again. Here s is
 *      the number of setbacks since the factor was last 1. */
#pragma once
#include "base/settings.h"
#include "nn/graph/net.h"
#include "nn/graph/tensor_file.h"

typedef struct {
    /* A batch is an outlier above these multiples. 0 switches the test off. */
    double gradient;   /* of the median gradient norm */
    double loss;       /* of the median loss */
    double first_loss; /* of the first batch's loss */
    /* How many outliers in a row make training suspect. If other batches come between them, more
     * outliers are needed (`suspicion` below). */
    int batches;
    double setback_rate;     /* each setback multiplies the learning rate by this (step 4) */
    int64_t setback_samples; /* after how many samples, times s, the factor doubles (step 5) */
} DivergenceSettings;
extern const SettingsField DIVERGENCE_FIELDS[];

enum { DIVERGENCE_HISTORY = 256 };

typedef struct {
    DivergenceSettings settings;
    double losses[DIVERGENCE_HISTORY], norms[DIVERGENCE_HISTORY]; /* ring buffers */
    int64_t batches; /* batches that entered the history since it was cleared */
    double
        first_loss; /* loss of the first batch, 0 before it; divergence_may_go_on() may raise it */
    int suspicion;  /* an outlier adds 3, any other batch subtracts 1; at least 0 */
    int64_t setbacks;  /* number so far, in earlier processes too */
    int64_t series;    /* number of setbacks since `rate` was last 1 */
    int64_t outliers;  /* number so far, in earlier processes too */
    double rate;       /* factor of the learning rate, in (0, 1] */
    int64_t rate_from; /* count of samples at which `rate` was set */
} Divergence;

void divergence_init(Divergence *divergence, const DivergenceSettings *settings);
/* Adds the loss and the gradient norm of a batch. The batch enters the history if it is no outlier.
 * Returns true if training is suspect. */
bool divergence_add_batch(Divergence *divergence, double loss, double gradient_norm);
/* Decides whether suspect training may go on with its present weights. `good_loss` and `good_norm`
 * are the loss and the gradient norm of the last good weights on the same batch. Returns true in
 * two cases. If both are about as high as those of the present weights, the data has changed. If
 * the loss of the present weights is clearly lower, training has learned; large gradients are usual
 * where it begins to. In both cases the history starts again with this batch, and `first_loss`
 * becomes at least its loss. Returns false if the weights have diverged. */
bool divergence_may_go_on(Divergence *divergence, double loss, double gradient_norm,
                          double good_loss, double good_norm);
/* Forgets the history, the first loss and the suspicion, for a training that continues with
 * unrelated weights. */
void divergence_clear_history(Divergence *divergence);
/* Records a setback and lowers the learning rate. `samples` is the count of samples at which
 * training continues. */
void divergence_set_back(Divergence *divergence, int64_t samples);
/* Returns the factor of the learning rate when the count of samples is `samples`. */
double divergence_rate(Divergence *divergence, int64_t samples);
/* Returns the median gradient norm of the history, or 0 if the history has fewer than 16
 * batches. */
double divergence_norm(const Divergence *divergence);
/* Write this state to a checkpoint and read it back. If the checkpoint does not have this state,
 * `*divergence` stays as it is. ERR_SYNTAX: the state in the checkpoint is damaged. */
MUST_USE Status divergence_save(const Divergence *divergence, TensorFile *file, Error *err);
MUST_USE Status divergence_restore(Divergence *divergence, const TensorFile *file, Error *err);
