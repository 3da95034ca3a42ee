/* run_index.h - run.db: nets, games, ratings and metrics of a run in SQLite. Of several processes
 * the one that trains writes it. If it is lost, a run goes on: its content is found again in other
 * files or is of statistical interest only. Threading: confined. */
#pragma once
#include "base/memory.h"
#include "play/match/elo.h"
#include <stdint.h>

typedef struct RunIndex RunIndex;
/* Opens the file, or creates it. If the file or its folder is read-only, it is opened for reading. */
MUST_USE Status run_index_open(const char *path, RunIndex **out, Error *err);
void run_index_close(RunIndex *index);
/* SQLite's journal mode for a file system with this magic number (statfs(2)): "DELETE" if several
 * machines may use the file, otherwise "WAL", which needs memory that the processes share (SQLite,
 * "Write-Ahead Logging"). */
const char *run_index_journal_mode(uint32_t file_system);

typedef struct {
    int number;
    char file[128];
    int64_t samples, rows, games, evaluations;
    double seconds; /* working time of the run when the net was made */
    double elo, elo_deviation;
} IndexedNet;
/* Replaces a net of the same number. */
MUST_USE Status run_index_add_net(RunIndex *index, const IndexedNet *net, Error *err);
/* In order of number; the caller frees `*out` by free(). */
MUST_USE Status run_index_nets(RunIndex *index, IndexedNet **out, int *count, Error *err);
MUST_USE Status run_index_set_rating(RunIndex *index, int number, double elo, double deviation,
                                     Error *err);

/* Adds games between two nets, which are given by number. Earlier versions stored a draw as half a
 * win and half a loss. */
MUST_USE Status run_index_add_games(RunIndex *index, const EloGames *games, const char *purpose,
                                    Error *err);
/* All games, summed for each pair of nets. The caller frees `*out` by free(). */
MUST_USE Status run_index_pairings(RunIndex *index, EloGames **out, int *count, Error *err);

/* Adds a point to the curve of that name ("loss.policy"). */
MUST_USE Status run_index_add_metric(RunIndex *index, const char *name, int64_t samples,
                                     double seconds, double value, Error *err);
/* The same, but replaces points of that curve at the same number of samples. */
MUST_USE Status run_index_set_metric(RunIndex *index, const char *name, int64_t samples,
                                     double seconds, double value, Error *err);
/* Names of curves that begin with `prefix`, sorted, in `arena`. */
MUST_USE Status run_index_metric_names(RunIndex *index, const char *prefix, Arena *arena,
                                       char ***out, int *count, Error *err);
typedef struct {
    int64_t samples;
    double seconds, value;
} MetricPoint;
/* The points of a curve in the order of `seconds`; the caller frees `*out` by free(). */
MUST_USE Status run_index_metric(RunIndex *index, const char *name, MetricPoint **out, int *count,
                                 Error *err);

/* Single numbers of the run, by key: "seconds", "evaluations" ... */
MUST_USE Status run_index_set_value(RunIndex *index, const char *key, double value, Error *err);
/* Adds to the stored value (0 if there is none) in one step, so that several processes may do it. */
MUST_USE Status run_index_add_value(RunIndex *index, const char *key, double value, Error *err);
/* Whether a write waits while another process writes: for at most 10 s, which is the default, or
 * not at all, so that it fails at once with ERR_IO. */
void run_index_wait(RunIndex *index, bool waits);
#define GAMES_FACT "games"           /* the sum over the notes beside the row files */
#define COMPUTE_FACT "multiply_adds" /* of all processes of the run; also a note in net files */
#define COMPUTE_METRIC "compute"     /* a metric: the multiply-adds when each net was made */
#define EDGE_FACT "edge"             /* the largest board side that training has had room for */
/* A healthy run has few or none of these: batches whose loss or gradient was an outlier; setbacks
 * of training to a good state; nets that were refused because they were worse than a net that knows
 * nothing. */
#define OUTLIERS_FACT "outliers"
#define SETBACKS_FACT "setbacks"
#define REFUSED_FACT "refused"
/* Reads the value of a key; 0 if it is missing. ERR_SYNTAX: the index is damaged. ERR_IO. */
MUST_USE Status run_index_read(RunIndex *index, const char *key, double *out, Error *err);
/* The same for pages and reports: 0 also if the value cannot be read, which is logged. Nothing that
 * is written back may depend on it. */
double run_index_value(RunIndex *index, const char *key);
/* Begins a transaction around several calls. */
MUST_USE Status run_index_begin(RunIndex *index, Error *err);
/* Ends the transaction: commits it if `status`, which is that of the calls in between, is OK,
 * otherwise rolls it back. Returns `status`, or why the commit failed. */
MUST_USE Status run_index_end(RunIndex *index, Status status, Error *err);
