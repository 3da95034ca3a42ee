/* run_results.h - the results of a run for the screen and for the index: its losses and its newest
 * rating. Threading: confined. */
#pragma once
#include "run/store/index/net_ratings.h"
#include "run/store/run_store.h"
#include "train/trainer.h"

typedef struct {
    Metrics metrics;           /* smoothed metrics of this process; `rows` is 0 before it trains */
    Metrics metrics_before;    /* the last metrics in the index, shown until this process trains */
    int elo_net;               /* number of the newest rated net; 0 if there is none */
    EloGain gain, over_first;  /* Elo of that net over the net that was rated before it, and over
                                  the first rated net */
    int before_net, first_net; /* numbers of those two nets */
    bool csv_fits;             /* see curves_add() */
    bool anchor_has_failed;    /* see stage_anchor() */
} RunResults;

/* The curves to which values are added, and the place of the values on them. */
typedef struct {
    const char *prefix; /* how the names of the curves begin, such as "" or "validation." */
    int64_t samples;
    double seconds; /* working time of the run */
} CurvePlace;

/* Copies the rating of the newest rated net, if there is one. */
void run_results_take_ratings(RunResults *results, const NetRatings *ratings);
/* Reads the last losses from the index, and the newest rating of a net whose number is at most
 * `newest`. */
MUST_USE Status run_results_recall(RunResults *results, RunStore *store, int newest, Error *err);
/* Adds the metric of this name in METRIC_FIELDS (train/losses/losses.h) to the index. */
MUST_USE Status run_results_keep_one(RunStore *store, const CurvePlace *place, const char *metric,
                                     const Metrics *metrics, Error *err);
/* Adds all metrics that have curves both of training and of validation. */
MUST_USE Status run_results_keep(RunStore *store, const CurvePlace *place, const Metrics *metrics,
                                 Error *err);
