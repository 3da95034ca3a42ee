/* curves.h - the run's curves as files, in addition to the index: report/metrics.csv, and
 * report/tensorboard for `tensorboard --logdir`. Threading: confined. */
#pragma once
#include "run/store/run_directory.h"
#include "train/trainer.h"

/* How far the run is, and how strong its newest rated net. */
typedef struct {
    int64_t games, rows;
    double speed; /* net evaluations a second in self-play */
    double
        over_first; /* Elo of the newest rated net over the first rated one; NAN: none is rated */
} CurveCounts;

/* The mean metrics over some rows, which are a point on each curve of a kind. */
typedef struct {
    const char *kind; /* "train", "validation" or "validation_averaged" */
    int64_t samples;
    double seconds; /* of the run's working time */
    const Metrics *metrics;
    const CurveCounts *counts; /* NULL: the point has none */
} CurvePoint;

/* Adds the point to the files. A failure is only logged. `*csv_fits`: whether metrics.csv is known
 * to have the columns of this program; false at the start of a process. */
void curves_add(const RunDirectory *run, const CurvePoint *point, bool *csv_fits);
