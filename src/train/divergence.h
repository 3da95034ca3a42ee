/* divergence.h - notices a training whose loss or gradient leaves its recent range, and makes its
 * steps smaller for a while after each return to a good state. It decides only by what it is told
 * of each batch, so it is the same whatever trains. Threading: confined.
 *
 * How it goes:
 *   1. A batch is an outlier when its loss or its gradient norm is above a multiple of the median
 * of the last batches, or its loss above a multiple of the first one's. Other batches enter the
 *      history of the last DIVERGENCE_HISTORY.
 *   2. After a few outliers in a row, or more than one in four for a while, training is *suspect*.
 *   3. The caller finds out whether the data or the weights are the cause: by the same batch with
 *      the weights of the last good state.
 *   4. Where the weights are, it goes back to them, and the learning rate is multiplied by
 *      `setback_rate`, but not below RATE_LEAST. It doubles again after every `setback_samples`
 * times the number of setbacks since it was last as set, until it is. */
#pragma once
#include "base/settings.h"
#include "nn/net.h"

typedef struct {
    float gradient;   /* medians of the norm above which a gradient is an outlier; 0: not watched */
    float loss;       /* medians above which a loss is one; 0: not watched */
    float first_loss; /* first losses above which a young training is suspect */
    int batches;      /* outliers in a row, or so many more than one in four, that are suspect */
    float setback_rate;      /* what the rate is multiplied with after going back */
    int64_t setback_samples; /* after which it doubles again, times the setbacks of the series */
} DivergenceSettings;
extern const ConfigField DIVERGENCE_FIELDS[];

enum { DIVERGENCE_HISTORY = 256 };

typedef struct {
    DivergenceSettings settings;
    double losses[DIVERGENCE_HISTORY], norms[DIVERGENCE_HISTORY]; /* rings */
    int64_t batches;   /* in the history since it began */
    double first_loss; /* of its first batch */
    int suspects;      /* grows by 3 with an outlier, falls by 1 with another batch, to 0 */
    int64_t setbacks;  /* of the whole training ... */
    int64_t series;    /* ... and since the rate was last as it is set */
    int64_t outliers;  /* batches of the whole training that were */
    double rate;       /* what learning rates are multiplied with, in (0, 1] */
    int64_t rate_from; /* samples at which `rate` was set */
} Divergence;

void divergence_init(Divergence *watch, const DivergenceSettings *settings);
/* Tells of a batch, before its step. True: training is suspect, and the batch is not in the history
 * until divergence_is_data() puts it there. */
bool divergence_add_batch(Divergence *watch, double loss, double gradient_norm);
/* The weights of the last good state gave `good_loss` and `good_norm` for the suspect batch. True:
 * they are as bad, so the data has changed; the history begins anew with this batch. False: the
 * weights have diverged. */
bool divergence_is_data(Divergence *watch, double loss, double gradient_norm, double good_loss,
                        double good_norm);
/* Training begins with other weights: the history is empty and there is no first loss. */
void divergence_clear_history(Divergence *watch);
/* Training went back to a good state, which has seen `samples`. */
void divergence_set_back(Divergence *watch, int64_t samples);
/* The factor of the learning rate after `samples`. */
double divergence_rate(Divergence *watch, int64_t samples);
/* The median gradient norm of the history; 0: it has fewer than 16 batches. */
double divergence_norm(const Divergence *watch);
/* In a checkpoint. Restoring from one without it leaves the watch as it is. ERR_SYNTAX: damaged. */
MUST_USE Status divergence_save(const Divergence *watch, TensorFile *file, Error *err);
MUST_USE Status divergence_restore(Divergence *watch, const TensorFile *file, Error *err);
