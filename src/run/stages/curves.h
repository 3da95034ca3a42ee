/* curves.h - the run's curves as files besides its index: report/metrics.csv, and
 * report/tensorboard for `tensorboard --logdir`. Threading: confined. */
#pragma once
#include "run/store/run_directory.h"
#include "train/trainer.h"

/* Means of some rows, as a point on the curves of one kind. */
typedef struct {
    const char *kind; /* "train", "validation" or "validation_averaged" */
    int64_t samples;
    double seconds; /* of the run's working time */
    const Metrics *metrics;
} CurvePoint;

/* Adds the point to the files. A fault is only told. `csv_fits`: whether metrics.csv is known to
 * have the columns of this program; false at a start. */
void curves_add(const RunDirectory *run, const CurvePoint *point, bool *csv_fits);
