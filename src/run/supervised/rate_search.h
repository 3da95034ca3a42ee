/* rate_search.h - searches for the learning rate with which a net has the smallest loss after
 * training on a few samples (lczero-training, tune_lr; GoNN chose its rates in this way by hand).
 * Each trial trains the same first net on the same batches. Threading: confined. */
#pragma once
#include "run/supervised/supervised_config.h"
#include "run/supervised/supervised_rows.h"

typedef struct {
    double rate; /* schedule.rate */
    double loss; /* policy plus value loss of the averaged net on the validation rows; infinite if
                    training diverged */
} RateTrial;
enum { RATE_TRIALS_MAX = 40 };
typedef struct {
    RateTrial trials[RATE_TRIALS_MAX]; /* in the order in which they were made */
    int count, best;
} RateSearch;

/* Tries a rate and sets `*loss`. */
typedef Status (*RateTry)(void *context, double rate, double *loss, Error *err);
/* Searches upwards and downwards from `first` by steps of a factor 2, until the loss grows on both
 * sides of the best rate. Then searches around the best rate by steps of a factor sqrt(2). A search
 * has at most RATE_TRIALS_MAX trials, so it ends even if the loss falls for ever. If a trial fails,
 * the search ends with the error of the trial. */
MUST_USE Status rate_search(double first, RateTry try_rate, void *context, RateSearch *out,
                            Error *err);

typedef struct {
    RowPaths training, validation; /* see SupervisedRowsSetup */
    const char *from;              /* each trial begins with this net; NULL: random weights */
    const SupervisedConfig *config;
    int64_t samples; /* of a trial, rounded up to whole batches */
    void (*tell)(void *context, const RateTrial *trial); /* called after each trial; may be NULL */
    void *context;
} RateSearchSetup;
/* Trains nets at several rates, beginning with schedule.rate or, if that is 0, with
 * optimiser_usual_rate(). No file is written. ERR_ARGUMENT: there are no validation rows, or a
 * setting is wrong. ERR_STOPPED: a stop was requested. Other errors: as supervised_open(). */
MUST_USE Status rate_search_train(const RateSearchSetup *setup, RateSearch *out, Error *err);
