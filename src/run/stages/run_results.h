/* run_results.h - the results of a run: losses and the newest rating, for the screen and the index.
 * Threading: confined. */
#pragma once
#include "run/store/net_ratings.h"
#include "run/store/run_store.h"
#include "train/trainer.h"

typedef struct {
    Metrics metrics;           /* of training in this process, smoothed; rows 0: none yet */
    Metrics metrics_before;    /* the last ones of the index, which are shown until then */
    int elo_net;               /* number of the newest rated net; 0: none */
    EloGain gain, over_first;  /* of this net, over the rated net before and over the first one */
    int before_net, first_net; /* numbers of these two */
    bool csv_fits;             /* report/metrics.csv has the columns of this program */
} RunResults;

/* The curves and the place on them that values belong to. */
typedef struct {
    const char *prefix; /* of the curves' names: "", "validation." */
    int64_t samples;
    double seconds; /* of the run's working time */
} CurvePlace;

/* Takes over the rating of the newest rated net, if there is one. */
void run_results_take_ratings(RunResults *results, const NetRatings *ratings);
/* Reads the losses, and the newest rating of the nets up to number `newest`, from the index. */
MUST_USE Status run_results_recall(RunResults *results, RunStore *store, int newest, Error *err);
/* Adds one metric of METRIC_FIELDS to the index. */
MUST_USE Status run_results_keep_one(RunStore *store, const CurvePlace *place, const char *metric,
                                     const Metrics *metrics, Error *err);
/* The same for all metrics that the page of the run shows, for training or for validation. */
MUST_USE Status run_results_keep(RunStore *store, const CurvePlace *place, const Metrics *metrics,
                                 Error *err);
