/* row_metrics.h - measures a net on row files. Threading: free functions. */
#pragma once
#include "base/progress.h"
#include "run/supervised/supervised_rows.h"
#include "train/trainer.h"

typedef struct {
    RowPaths paths;
    int size;    /* width and height of the net's input; 0: those of the rows' frames, the squares
                    in which rows store their boards */
    int threads; /* 0: one per processor that this process may use */
    const ProgressWatch *watch; /* is called after each file; may be NULL */
} RowMetricsSetup;

typedef struct {
    Metrics mean; /* over all rows */
    int64_t rows;
    int files; /* number of files that could be used */
} RowMetrics;

/* Measures the net on every row of the files, without symmetry and with the whole history. Damaged
 * files are named in the log and left out. ERR_SYNTAX: no file can be used. ERR_IO: there are no
 * files, or one cannot be read. ERR_UNSUPPORTED: the net does not have the inputs and outputs of a
 * Go net. Any other error comes from `watch`, which ends the work with it, such as ERR_STOPPED. */
MUST_USE Status row_metrics_measure(const Net *net, const RowMetricsSetup *setup, RowMetrics *out,
                                    Error *err);
