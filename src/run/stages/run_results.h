/* run_results.h - what a run is known to have learned: losses and the newest rating, as the screen
 * and the index have them. Threading: confined. */
#pragma once
#include "run/store/run_store.h"
#include "train/trainer.h"

typedef struct {
    Metrics metrics;           /* of training, smoothed; rows 0: nothing is trained yet ... */
    Metrics metrics_before;    /* ... and these are what the index knows */
    int elo_net;               /* the newest net that is rated; 0: none */
    double elo, elo_deviation; /* its rating against random play */
    bool csv_fits;             /* report/metrics.csv has the columns of this program */
} RunResults;

/* Where on which curves a value belongs. */
typedef struct {
    const char *prefix; /* of the names of the curves: "", "validation." */
    int64_t samples;
    double seconds; /* of the run's working time */
} CurvePlace;

/* Reads the losses, and the newest rating of the nets up to `newest`, from the index. */
MUST_USE Status run_results_recall(RunResults *results, RunStore *store, int newest, Error *err);
/* Puts one metric of METRIC_FIELDS into the index. */
MUST_USE Status run_results_keep_one(RunStore *store, const CurvePlace *place, const char *metric,
                                     const Metrics *metrics, Error *err);
/* The same for those that the page of the run shows, of training or of a net on games that are not
 * trained on. */
MUST_USE Status run_results_keep(RunStore *store, const CurvePlace *place, const Metrics *metrics,
                                 Error *err);
