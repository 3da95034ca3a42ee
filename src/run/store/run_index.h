/* run_index.h - run.db: nets, games, gates, ratings and metrics of a run in SQLite. The coordinator
 * alone writes it. All of it can be read again from the files or is only of statistical interest.
 * Threading: confined. */
#pragma once
#include "base/memory.h"
#include "play/match/elo.h"
#include <stdint.h>

typedef struct RunIndex RunIndex;
/* Opens or makes the file. Where it or its folder may not be written, it can still be read. */
MUST_USE Status run_index_open(const char *path, RunIndex **out, Error *err);
void run_index_close(RunIndex *index);
/* SQLite's journal on a file system of this number (statfs(2)): "WAL", whose index of pages lies in
 * memory that processes of one machine alone share (SQLite, "Write-Ahead Logging"), or "DELETE"
 * where several machines may have the file. */
const char *run_index_journal_mode(uint32_t file_system);

typedef struct {
    int number;
    char file[128];
    int64_t samples, rows, games, evaluations;
    double seconds; /* of the run's working time when it was made */
    double elo, elo_deviation;
} IndexedNet;
/* Replaces a net of the same number. */
MUST_USE Status run_index_add_net(RunIndex *index, const IndexedNet *net, Error *err);
/* In order of number; the caller frees `*out` by free(). */
MUST_USE Status run_index_nets(RunIndex *index, IndexedNet **out, int *count, Error *err);
MUST_USE Status run_index_set_rating(RunIndex *index, int number, double elo, double deviation,
                                     Error *err);

/* Games between nets, by their numbers, added up by pair. Indexes of earlier versions have a draw
 * as half a win and half a loss. */
MUST_USE Status run_index_add_games(RunIndex *index, const EloGames *games, const char *purpose,
                                    Error *err);
/* The caller frees `*out` by free(). */
MUST_USE Status run_index_pairings(RunIndex *index, EloGames **out, int *count, Error *err);

/* Adds a point to the curve of that name ("loss.policy"). */
MUST_USE Status run_index_add_metric(RunIndex *index, const char *name, int64_t samples,
                                     double seconds, double value, Error *err);
/* The same, in place of points of that curve at the same number of samples. */
MUST_USE Status run_index_set_metric(RunIndex *index, const char *name, int64_t samples,
                                     double seconds, double value, Error *err);
/* Names of curves that begin with `prefix`, sorted, in `arena`. */
MUST_USE Status run_index_metric_names(RunIndex *index, const char *prefix, Arena *arena,
                                       char ***out, int *count, Error *err);
typedef struct {
    int64_t samples;
    double seconds, value;
} MetricPoint;
MUST_USE Status run_index_metric(RunIndex *index, const char *name, MetricPoint **out, int *count,
                                 Error *err); /* free() */

/* Small facts that last: "seconds", "evaluations", "cycle" ... */
MUST_USE Status run_index_set_value(RunIndex *index, const char *key, double value, Error *err);
/* Adds to the value that is there (0 where there is none), in one step, so that several processes
 * may do it. */
MUST_USE Status run_index_add_value(RunIndex *index, const char *key, double value, Error *err);
/* Whether a write waits while another process writes: for 10 s at most, which is the default, or
 * not at all, so that ERR_IO comes at once. */
void run_index_wait(RunIndex *index, bool waits);
#define GAMES_FACT "games"           /* those of the notes beside the row files */
#define COMPUTE_FACT "multiply_adds" /* of all processes of the run; a net file has it as a note */
#define COMPUTE_METRIC "compute"     /* a metric: these multiply-adds when a net was made */
#define EDGE_FACT "edge" /* the largest edge of boards whose rows training has had room for */
/* What a healthy run has few of, or none: batches whose loss or gradient was an outlier; how often
 * training went back to a good state; nets that were refused, since they were worse than a net that
 * knows nothing. */
#define OUTLIERS_FACT "outliers"
#define SETBACKS_FACT "setbacks"
#define REFUSED_FACT "refused"
/* 0: the value is not there, or cannot be read, which is logged. */
double run_index_value(RunIndex *index, const char *key);
/* Begins a transaction around several calls. */
MUST_USE Status run_index_begin(RunIndex *index, Error *err);
/* Ends the transaction. If `status`, that of the calls in between, is OK, all of it is kept, else
 * nothing. Returns `status`, or why it cannot be kept. */
MUST_USE Status run_index_end(RunIndex *index, Status status, Error *err);
