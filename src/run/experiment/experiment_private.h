/* experiment_private.h - what the files of an experiment share: the state of its runs, and their
 * nets at equal fractions of the compute. */
#pragma once
#include "run/experiment/experiment.h"
#include "run/experiment/experiment_effects.h"
#include "run/rating/rate_pool.h"
#include "run/store/run_directory.h"
#include "run/store/run_index.h"

typedef struct {
    int player;     /* in the pool; -1: the run has no such net yet */
    double compute; /* multiply-adds of the run when the net was made */
} MomentNet;

typedef struct {
    int arm, seed; /* indices from 0 */
    char name[64]; /* "ARM-s1" */
    Path directory;
    int nets;
    double compute;
    int64_t evaluations, rows, samples;
    double seconds;
    /* The newest net within the compute of each moment; the last one is the final net. */
    MomentNet at[MOMENTS_MAX];
    char failed[200]; /* why the run has failed; "": it has not */
} ExperimentRun;

/* One turn of learning: which run learns, and up to which slice. */
typedef struct {
    int slice, arm, seed;
} ExperimentSlice;
/* The turns 0 .. slices * seeds * arms - 1 in their order. */
ExperimentSlice experiment_slice(const Experiment *experiment, int turn);

typedef struct {
    ExperimentRun *runs;
    int run_count;
    RatePool pool;             /* players are the nets */
    char **paths;              /* [pool.players]: files of the nets, in the experiment's arena */
    int *run_of;               /* [pool.players]: index of the net's run */
    EloFit fit;                /* Elo relative to the mean of the first arm's final nets */
    double *reference_weights; /* [pool.players]: weights of nets in that mean */
    double *weights;           /* [pool.players]: memory for the weights of a contrast */
    int anchor;                /* a final net of the first arm */
    ArmEffect *effects;        /* [arms], by the final nets */
    SeedSpread spread;
} ExperimentResult;

MUST_USE Status experiment_run_path(const Experiment *experiment, int arm, int seed,
                                    ExperimentRun *out, Error *err);
/* The number of games between each two nets of a moment. */
int experiment_games(const Experiment *experiment);
/* In the directory of a run that has failed, with the reason. Without it the run is tried again. */
#define FAILED_FILE "failed.txt"
/* Reads compute and totals of a run from its index (0 if there is none yet), and whether it has
 * failed. */
MUST_USE Status experiment_read_run(ExperimentRun *run, Error *err);
/* Returns the newest net that was made before its run had used more than `max` multiply-adds, and
 * writes what the run had used then to `*compute`. points: the run's compute over its samples.
 * NULL: there is no such net. */
const IndexedNet *experiment_net_at(const IndexedNet *nets, int count, const MetricPoint *points,
                                    int point_count, double max, double *compute);
/* Writes the settings that all rating games have in common to the directory. ERR_ARGUMENT: the
 * games that are there had other settings. */
MUST_USE Status experiment_keep_rating_settings(const Experiment *experiment, Error *err);
/* Finds the nets, plays the missing games between them, and fits the ratings. */
MUST_USE Status experiment_rate(Experiment *experiment, ExperimentResult *out, Error *err);
void experiment_result_clear(ExperimentResult *result);
/* The compute that the arm needs for the strength of the first arm, divided by that of the first
 * arm, from the curves of both. Above 1 the first arm is better. 0: unknown. *is_bound: the ratio
 * lies outside the curves, and the result is only a bound. */
double experiment_compute_ratio(const Experiment *experiment, const ExperimentResult *result,
                                int arm, bool *is_bound);
/* Mean rating of an arm's nets at a moment, and the number of these nets. Only nets that games
 * connect with the first arm's final nets count. Not finite if there is none. */
double experiment_mean(const ExperimentResult *result, int arm, int moment, int *count);
/* The error of that mean, which is a difference to the first arm's final nets. That of these nets
 * themselves is 0. */
ContrastError experiment_mean_error(const ExperimentResult *result, int arm, int moment);
/* The error of the rating of one net. */
ContrastError experiment_net_error(const ExperimentResult *result, int player);
/* Whether the net exists (not -1) and has a rating, since games connect it with the first arm's
 * final nets. */
bool experiment_has_rating(const ExperimentResult *result, int player);
