/* divergence.h - notices when the loss or the gradient of a training leaves its recent range, and
 * lowers the learning rate for a while after each return to a good state. It sees only the numbers
 * of each batch, so it does not depend on what is trained. Threading: confined.
 *
 * How it works:
 *   1. A batch is an outlier when its loss or its gradient norm is above a multiple of the median
 *      of the last batches, or its loss is above a multiple of the first batch's. All other batches
 *      enter the history of the last DIVERGENCE_HISTORY.
 *   2. After a few outliers in a row, or when more than one batch in four is an outlier for a
 *      while, training is *suspect*.
 *   3. The caller then finds out whether the data or the weights are the cause, by running the same
 *      batch with the weights of the last good state.
 *   4. If the weights are the cause, the caller returns to the good ones (a *setback*), and the
 *      learning rate is multiplied by `setback_rate`, but the factor does not fall below 0.001.
 *   5. The factor doubles after every `setback_samples` * s samples, until it is 1 again; s is the
 *      number of setbacks since it last was 1. */
#pragma once
#include "base/settings.h"
#include "nn/graph/net.h"
#include "nn/graph/tensor_file.h"

typedef struct {
    double gradient;   /* multiple of the median norm that makes an outlier; 0: not watched */
    double loss;       /* multiple of the median loss that makes an outlier; 0: not watched */
    double first_loss; /* multiple of the first batch's loss, likewise; 0: not watched */
    int batches; /* outliers in a row, or in excess of one in four, that make training suspect */
    double setback_rate;     /* factor of the learning rate for each setback */
    int64_t setback_samples; /* samples, times the setbacks in the series, until it doubles */
} DivergenceSettings;
extern const SettingsField DIVERGENCE_FIELDS[];

enum { DIVERGENCE_HISTORY = 256 };

typedef struct {
    DivergenceSettings settings;
    double losses[DIVERGENCE_HISTORY], norms[DIVERGENCE_HISTORY]; /* ring buffers */
    int64_t batches;   /* that entered the history since it was last cleared */
    double first_loss; /* of the first batch; 0: there was none */
    int suspicion;     /* grows by 3 with an outlier, falls by 1 with any other batch, down to 0 */
    int64_t setbacks;  /* of the whole training ... */
    int64_t series;    /* ... and since the factor last was 1 */
    int64_t outliers;  /* of the whole training */
    double rate;       /* factor of the learning rate, in (0, 1] */
    int64_t rate_from; /* samples at which `rate` was set */
} Divergence;

void divergence_init(Divergence *divergence, const DivergenceSettings *settings);
/* Takes the numbers of a batch into account. Returns true if training is suspect. An outlier does
 * not enter the history, unless divergence_is_data() puts it there. */
bool divergence_add_batch(Divergence *divergence, double loss, double gradient_norm);
/* `good_loss` and `good_norm`: what the weights of the last good state give for the suspect batch.
 * True: they do as badly, so the data has changed; the history starts anew with this batch. False:
 * the weights have diverged. */
bool divergence_is_data(Divergence *divergence, double loss, double gradient_norm, double good_loss,
                        double good_norm);
/* Clears the history and the first loss, for a training that continues with unrelated weights. */
void divergence_clear_history(Divergence *divergence);
/* Records a setback to a good state that had learned from `samples`. */
void divergence_set_back(Divergence *divergence, int64_t samples);
/* The factor of the learning rate after `samples`. */
double divergence_rate(Divergence *divergence, int64_t samples);
/* The median gradient norm of the history; 0: it has fewer than 16 batches. */
double divergence_norm(const Divergence *divergence);
/* Part of a checkpoint. A checkpoint without this part leaves `*divergence` as it is. ERR_SYNTAX:
 * the part is damaged. */
MUST_USE Status divergence_save(const Divergence *divergence, TensorFile *file, Error *err);
MUST_USE Status divergence_restore(Divergence *divergence, const TensorFile *file, Error *err);
