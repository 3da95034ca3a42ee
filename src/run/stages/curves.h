/* curves.h - writes the run's curves to files for other programs, in addition to the index. The
 * files are report/metrics.csv, report/update_ratios.csv, report/activations.csv and, for
 * `tensorboard --logdir`, the files in report/tensorboard.
 * Threading: confined. */
#pragma once
#include "run/store/run_directory.h"
#include "train/trainer.h"

/* The progress of the run, and the strength of its newest rated net. */
typedef struct {
    int64_t games, rows;
    double speed;      /* net evaluations per second in self-play */
    double over_first; /* Elo of the newest rated net over the first rated net, or NAN */
} CurveCounts;

/* Mean metrics over some rows. Each metric becomes one point of its curve of the kind `kind`. */
typedef struct {
    const char *kind; /* "train", "validation" or "validation_averaged" */
    int64_t samples;
    double seconds; /* working time of the run */
    const Metrics *metrics;
    const CurveCounts *counts; /* NULL if the point has no counts */
} CurvePoint;

/* Adds the point to the files. A failure is only logged. `*csv_fits` says whether metrics.csv is
 * known to have the columns of this program. It must be false at the start of a process. Then only
 * this function changes it. */
void curves_add(const RunDirectory *run, const CurvePoint *point, bool *csv_fits);
/* Adds the update ratios of the trainer's last step and the mean squares of the layers' outputs, if
 * the trainer measures them. They become lines of report/update_ratios.csv and
 * report/activations.csv, one for each parameter or layer, and curves "update_ratio/NAME" and
 * "activation/OP:NAME" of the kind "train" in report/tensorboard. Numbers that are not known are
 * left out. A failure is only logged. */
void curves_add_net_numbers(const RunDirectory *run, const Trainer *trainer);
