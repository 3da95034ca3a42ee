/* experiment_private.h - what the source files of experiments share: the state of the runs, and
 * their nets at the moments (experiment.h). */
#pragma once
#include "run/experiment/experiment.h"
#include "run/experiment/experiment_effects.h"
#include "run/rating/rate_pool.h"
#include "run/store/index/run_index.h"
#include "run/store/run_directory.h"

typedef struct {
    int player;     /* index in the pool; -1 if there is no such net yet */
    double compute; /* multiply-adds that the run had used when the net was made */
} MomentNet;

typedef struct {
    int arm, seed; /* indices from 0 */
    char name[64]; /* "ARM-s1" */
    Path directory;
    int nets;
    double compute;
    int64_t evaluations, rows, samples;
    double seconds;
    /* For each moment, the newest net that was made within the compute of the moment. The net of
     * the last moment is the run's final net. */
    MomentNet at[MOMENTS_MAX];
    char failed[200]; /* why the run failed; empty if it did not fail */
} ExperimentRun;

/* One of the slices into which the learning of a run is cut (experiment.h). `arm` and `seed` name
 * the run. All three numbers start at 0. */
typedef struct {
    int slice, arm, seed;
} ExperimentSlice;
/* Returns the slice that is learned as number `turn` of all slices of all runs. `turn` is 0 to
 * slices * seeds * arms - 1. */
ExperimentSlice experiment_slice(const Experiment *experiment, int turn);

typedef struct {
    ExperimentRun *runs;
    int run_count;
    RatePool pool;             /* the players are the nets */
    char **paths;              /* [pool.players]: files of the nets, in the experiment's arena */
    int *run_of;               /* [pool.players]: index of each net's run */
    EloFit fit;                /* with Elo relative to the mean of the first arm's final nets */
    double *reference_weights; /* [pool.players]: weights of the nets in that mean */
    double *weights;           /* [pool.players]: memory for the weights of a contrast */
    int anchor;                /* player that is a final net of the first arm */
    ArmEffect *effects;        /* [arms]: effects by the final nets */
    SeedSpread spread;
} ExperimentResult;

MUST_USE Status experiment_run_path(const Experiment *experiment, int arm, int seed,
                                    ExperimentRun *out, Error *err);
/* Returns the number of games that each pair of nets of a moment plays. */
int experiment_games(const Experiment *experiment);
/* This file in the directory of a run says that the run has failed, and why. If it is removed, the
 * run is tried again. */
#define FAILED_FILE "failed.txt"
/* Reads the compute and the totals of a run from its index. The rows and samples are those of the
 * run's newest net. All numbers are 0 if there is no index yet. Also reads whether the run has
 * failed. */
MUST_USE Status experiment_read_run(ExperimentRun *run, Error *err);
/* Returns the newest net that was made before its run had used more than `max` multiply-adds, or
 * NULL if there is none. `points` is the run's curve COMPUTE_METRIC (run_index.h). Nets for which
 * this curve has no point are left out. Sets `*compute` to the multiply-adds that the run had used
 * when the net was made. */
const IndexedNet *experiment_net_at(const IndexedNet *nets, int count, const MetricPoint *points,
                                    int point_count, double max, double *compute);
/* Writes the settings that all rating games share to the directory. ERR_ARGUMENT: the games that
 * are already there had other settings. */
MUST_USE Status experiment_keep_rating_settings(const Experiment *experiment, Error *err);
/* Finds the nets, plays the missing games between them, and fits the ratings. */
MUST_USE Status experiment_rate(Experiment *experiment, ExperimentResult *out, Error *err);
void experiment_result_clear(ExperimentResult *result);
/* Compares the compute that two arms need for a certain strength: returns the compute of the arm
 * divided by that of the first arm, as read from their curves. The strength is the final strength
 * of the weaker of the two arms. If the ratio is above 1, the first arm is better. The result is 0
 * if the ratio is not known. Sets `*is_bound` to true if the ratio lies outside the curves; then
 * the result is only a bound. */
double experiment_compute_ratio(const Experiment *experiment, const ExperimentResult *result,
                                int arm, bool *is_bound);
/* Returns the mean rating of an arm's nets at a moment, and sets `*count` to the number of these
 * nets. Nets that no games connect with the first arm's final nets are left out. If no net is left,
 * the mean is not finite. */
double experiment_mean(const ExperimentResult *result, int arm, int moment, int *count);
/* Returns the error of experiment_mean() relative to the mean of the first arm's final nets. For
 * the first arm at the last moment the error is 0. */
ContrastError experiment_mean_error(const ExperimentResult *result, int arm, int moment);
/* Returns the error of the rating of one net relative to the mean of the first arm's final nets. */
ContrastError experiment_net_error(const ExperimentResult *result, int player);
/* Returns whether the net exists (`player` is not -1) and has a rating. It has a rating if games
 * connect it with the first arm's final nets. */
bool experiment_has_rating(const ExperimentResult *result, int player);
