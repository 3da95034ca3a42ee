/* row_metrics.h - measures a net on row files. Threading: free functions. */
#pragma once
#include "base/file.h"
#include "base/progress.h"
#include "run/supervised/game_losses.h"
#include "run/supervised/supervised_rows.h"
#include "train/trainer.h"

typedef struct {
    RowPaths paths;
    int size;    /* width and height of the net's input; 0: those of the rows' frames, the squares
                    in which rows store their boards */
    int threads; /* 0: one per processor that this process may use */
    /* For nets that read who played: the players that the net is told, in the form of
     * metadata_profile(). The first rank is that of the mover. NULL: the players of each row. */
    const char *profile;
    int worst_games;            /* how many games with the largest losses to list */
    const ProgressWatch *watch; /* is called after each file; may be NULL */
} RowMetricsSetup;

typedef struct {
    GameLoss loss; /* the sum of the game's policy and value loss is among the largest */
    Path file;     /* a file with rows of the game */
} WorstGame;

typedef struct {
    Metrics mean; /* over all rows */
    int64_t rows;
    int files;              /* number of files that could be used */
    WorstGame *worst;       /* the largest loss first; see row_metrics_clear() */
    int worst_count, games; /* `games` is the number of all games */
} RowMetrics;
void row_metrics_clear(RowMetrics *metrics);

/* Measures the net on every row of the files, without symmetry and with the whole history. Damaged
 * files are named in the log and left out. ERR_SYNTAX: no file can be used. ERR_IO: there are no
 * files, or a file cannot be read. ERR_ARGUMENT: `profile` is not a profile, or the net does not
 * read who played. ERR_UNSUPPORTED: the net does not have the inputs and outputs of a
 * Go net. If `watch` returns an error, such as ERR_STOPPED, the work ends with this error. */
MUST_USE Status row_metrics_measure(const Net *net, const RowMetricsSetup *setup, RowMetrics *out,
                                    Error *err);
