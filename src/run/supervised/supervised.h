/* supervised.h - trains a net on a fixed set of rows, without games. All files are in one folder:
 *   train.cfg        the settings
 *   begin.aji        the net with its first weights
 *   checkpoint.aji   the state of training, from which the same command continues
 *   last.aji         the averaged net after the newest epoch, also if the time ended within it
 *   best.aji         the averaged net with the smallest loss on the validation rows
 *   report/          the page index.html, metrics.csv, files for TensorBoard, and update_ratios.csv
 *                    and activations.csv if they are wanted
 *   run.db           the curves and other numbers (run_index.h)
 *   log.txt, train.lock
 * An epoch is a fixed number of samples, after which the net is measured on rows that it is not
 * trained on. Threading: confined. */
#pragma once
#include "base/progress.h"
#include "run/supervised/supervised_config.h"
#include "run/supervised/supervised_rows.h"

typedef struct {
    const char *folder;
    RowPaths training, validation; /* see SupervisedRowsSetup */
    const char *from;              /* training begins with the weights of this net; NULL: random */
    const SupervisedConfig *config;
    Progress *progress; /* where the progress is shown; NULL if it is not shown */
} SupervisedSetup;

typedef struct {
    int64_t samples;      /* of the whole training, including earlier processes */
    int64_t best_samples; /* samples when the best net was made; 0 if there is none yet */
    double best_loss;     /* policy plus value loss of the best net on the validation rows;
                             infinite if there is none yet */
    double seconds;       /* working time, including earlier processes */
} SupervisedTotals;

typedef struct Supervised Supervised;
/* Returns whether the folder holds a training that can be continued. */
bool supervised_has_begun(const char *folder);
/* Reads the settings of a training that has begun into `config`. */
MUST_USE Status supervised_settings(const char *folder, SupervisedConfig *config, Error *err);
/* Begins a training, or continues the training in the folder. ERR_ARGUMENT: a setting is wrong, or
 * the training in the folder began from another net than `from`. ERR_IO: a file cannot be read or
 * written, or another process trains in this folder. ERR_SYNTAX: a file of the folder is damaged,
 * or no row file can be used. */
MUST_USE Status supervised_open(const SupervisedSetup *setup, Supervised **out, Error *err);
/* Trains until the last epoch has ended, until `seconds` seconds are over (if this is above 0), or
 * until a stop is requested. Then writes a checkpoint. After each epoch, and also when the time is
 * over within an epoch, the net is measured and last.aji is written. */
MUST_USE Status supervised_run(Supervised *supervised, double seconds, Error *err);
SupervisedTotals supervised_totals(const Supervised *supervised);
void supervised_close(Supervised *supervised); /* NULL is fine */
