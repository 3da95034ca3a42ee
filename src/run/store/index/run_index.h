/* run_index.h - the index of a run: its nets, games, ratings and metrics in the SQLite file run.db.
 * If several processes work for a run, the process that trains writes the index. If the index is
 * lost, the run can go on: other files have a part of its content, and the rest is only statistics.
 * Threading: confined. */
#pragma once
#include "base/memory.h"
#include "play/match/elo.h"
#include <limits.h>
#include <stdint.h>

typedef struct RunIndex RunIndex;
/* Opens the file or creates it. If the file or its folder is read-only, it is opened for reading
 * only. ERR_SYNTAX: the file is damaged. ERR_IO: SQLite cannot use it. */
MUST_USE Status run_index_open(const char *path, RunIndex **out, Error *err);
/* Opens the file for reading only. This is possible even while the run's own process writes the
 * file. Unlike run_index_open() it creates nothing, locks nothing for long and does not check the
 * whole file. So a page may call it again and again. ERR_IO: there is no such file, or it cannot be
 * read. */
MUST_USE Status run_index_open_reader(const char *path, RunIndex **out, Error *err);
void run_index_close(RunIndex *index);
/* Returns SQLite's pragmas for a file system with this magic number (statfs(2)). The journal mode
 * is WAL, in which "synchronous = NORMAL" is enough to keep a power failure from damaging the file.
 * But WAL needs memory that all processes share. So if several machines may share the file system,
 * the mode is DELETE. It needs "synchronous = FULL", because with NORMAL a power failure could
 * damage the file (SQLite, "PRAGMA synchronous"). */
const char *run_index_pragmas(uint32_t file_system);

typedef struct {
    int number;
    char file[128];
    int64_t samples, rows, games, evaluations;
    double seconds;            /* working time of the run when the net was made */
    double elo, elo_deviation; /* the deviation is 0 if the net is not rated */
} IndexedNet;
/* Adds a net. It replaces a net of the same number. */
MUST_USE Status run_index_add_net(RunIndex *index, const IndexedNet *net, Error *err);
/* Lists the nets in order of number. The caller frees `*out` by free(). */
MUST_USE Status run_index_nets(RunIndex *index, IndexedNet **out, int *count, Error *err);
MUST_USE Status run_index_set_rating(RunIndex *index, int number, double elo, double deviation,
                                     Error *err);

/* In games, this number stands for the anchor, a player outside of the run. Earlier versions do not
 * know anchors, but leave out games of nets with numbers above that of the newest net. So they
 * leave out the games with the anchor, because this number is so high. */
#define ANCHOR_NUMBER INT_MAX
/* Adds games between two nets, which are given by number. `purpose` says what the games were for,
 * such as "rating". For games with the anchor it is the anchor's name. The games are synced to disk
 * immediately, so that the caller may remove their files. Earlier versions stored a draw as half a
 * win and half a loss. */
MUST_USE Status run_index_add_games(RunIndex *index, const EloGames *games, const char *purpose,
                                    Error *err);
/* Lists all games, summed for each pair of nets. The caller frees `*out` by free(). */
MUST_USE Status run_index_pairings(RunIndex *index, EloGames **out, int *count, Error *err);

typedef struct {
    char text[128];
} AnchorName;
/* Reads the name of the anchor whose games are in the index. The text is empty if there are no such
 * games. */
MUST_USE Status run_index_anchor(RunIndex *index, AnchorName *out, Error *err);
/* Removes the games with the anchor. Call this when the run gets another anchor. */
MUST_USE Status run_index_remove_anchor(RunIndex *index, Error *err);

/* Adds a point to the curve `name`, for example "loss.policy". */
MUST_USE Status run_index_add_metric(RunIndex *index, const char *name, int64_t samples,
                                     double seconds, double value, Error *err);
/* Does the same, but replaces the points of that curve with the same number of samples. */
MUST_USE Status run_index_set_metric(RunIndex *index, const char *name, int64_t samples,
                                     double seconds, double value, Error *err);
/* Lists the names of curves that begin with `prefix`, sorted. The list is in `arena`. */
MUST_USE Status run_index_metric_names(RunIndex *index, const char *prefix, Arena *arena,
                                       char ***out, int *count, Error *err);
/* Beginnings of names of curves. LADDER_METRIC is followed by the name of a ladder, for the Elo on
 * this ladder. SCORE_METRIC is followed by the name of an opponent, for the scores (0..1) against
 * it. */
#define LADDER_METRIC "elo."
#define SCORE_METRIC "score."
typedef struct {
    int64_t samples;
    double seconds, value;
} MetricPoint;
/* Lists the points of a curve in the order of `seconds`. The caller frees `*out` by free(). */
MUST_USE Status run_index_metric(RunIndex *index, const char *name, MetricPoint **out, int *count,
                                 Error *err);

/* A point of any curve, and its place in the order in which the points were added. Places grow from
 * 1. A point that replaces the point with the highest place gets this same place; any other new
 * point gets a higher place than all points that exist. */
typedef struct {
    int64_t place;
    char *name; /* of the curve */
    MetricPoint point;
} PlacedMetric;
/* Lists at most `limit` points from `place` on, in the order of their places. The list is in
 * `arena`. */
MUST_USE Status run_index_metrics_from(RunIndex *index, int64_t place, int limit, Arena *arena,
                                       PlacedMetric **out, int *count, Error *err);
/* Finds the highest place. It is 0 if there are no points. */
MUST_USE Status run_index_last_place(RunIndex *index, int64_t *out, Error *err);

/* Sets the value of a key. Keys are for single numbers of the run, such as "seconds"
 * and "evaluations". */
MUST_USE Status run_index_set_value(RunIndex *index, const char *key, double value, Error *err);
/* Adds `value` to the stored value. A value that is not stored yet counts as 0. This is one step,
 * so several processes may do it at the same time. */
MUST_USE Status run_index_add_value(RunIndex *index, const char *key, double value, Error *err);
/* Sets what a write does while another process writes. If `waits` is true, which is the default,
 * the write waits for at most 10 s. Otherwise it fails immediately with ERR_IO. */
void run_index_wait(RunIndex *index, bool waits);
#define GAMES_FACT "games"           /* key: games counted by notes beside row files (journal.h) */
#define COMPUTE_FACT "multiply_adds" /* key: multiply-adds of the run; also a note in net files */
#define COMPUTE_METRIC "compute"     /* curve: the multiply-adds when each net was made */
#define ANCHOR_FACT "anchor_seconds" /* key: time that games against the anchor took */
#define EDGE_FACT "edge"             /* key: largest board side that training has had buffers for */
/* These keys count things that are rare in a healthy run: batches whose loss or gradient norm was
 * an outlier, returns of training to a good state (setbacks), and nets that were refused because
 * they were worse than a net that knows nothing. */
#define OUTLIERS_FACT "outliers"
#define SETBACKS_FACT "setbacks"
#define REFUSED_FACT "refused"
/* Reads the value of a key, which is 0 if the key is missing. ERR_SYNTAX: the index is damaged.
 * ERR_IO: it cannot be read. */
MUST_USE Status run_index_read(RunIndex *index, const char *key, double *out, Error *err);
/* Does the same for pages and reports. If the value cannot be read, this is logged, and the result
 * is 0. So never write a number back that was computed from this result. */
double run_index_value(RunIndex *index, const char *key);
/* Begins a transaction around several calls. */
MUST_USE Status run_index_begin(RunIndex *index, Error *err);
/* Ends the transaction. `status` is the status of the calls in between. If it is OK, the
 * transaction is committed; otherwise it is rolled back. Returns `status`, or the failure of the
 * commit. */
MUST_USE Status run_index_end(RunIndex *index, Status status, Error *err);
