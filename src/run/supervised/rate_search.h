/* rate_search.h - searches for the learning rate after which a net that was trained for a few
 * samples has the smallest loss (lczero-training, tune_lr; GoNN chose its rates in this way by
 * hand). Each trial trains the same first net on the same batches. Threading: confined. */
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
/* Searches by steps of a factor 2 from `first`, upwards and downwards, until the loss grows on both
 * sides of the smallest one, and then by steps of a factor sqrt(2) around it. A search has at most
 * RATE_TRIALS_MAX trials, so it ends even if the loss falls for ever. The first error of a trial
 * ends it. */
MUST_USE Status rate_search(double first, RateTry try_rate, void *context, RateSearch *out,
                            Error *err);

typedef struct {
    RowPaths training, validation; /* as SupervisedSetup */
    const char *from;              /* a net with which each trial begins; NULL: random weights */
    const SupervisedConfig *config;
    int64_t samples; /* of a trial, rounded up to whole batches */
    void (*tell)(void *context, const RateTrial *trial); /* is called after each trial; or NULL */
    void *context;
} RateSearchSetup;
/* Trains nets at several rates, beginning with schedule.rate or, if that is 0, with
 * optimiser_usual_rate(). No file is written. ERR_ARGUMENT: there are no validation rows, or a
 * setting is wrong. ERR_STOPPED: a stop was requested. Other errors: as supervised_open(). */
MUST_USE Status rate_search_train(const RateSearchSetup *setup, RateSearch *out, Error *err);
