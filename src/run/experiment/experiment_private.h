/* experiment_private.h - what the files of an experiment share: its runs as they stand, and their
 * nets at equal shares of the compute. */
#pragma once
#include "run/experiment/experiment.h"
#include "run/experiment/experiment_worth.h"
#include "run/rating/rate_pool.h"
#include "run/store/run_directory.h"
#include "run/store/run_index.h"

typedef struct {
    int player;     /* of the pool; -1: none yet */
    double compute; /* of the run when the net was made */
} MomentNet;

typedef struct {
    int arm, seed; /* seed 0.. */
    char name[64]; /* "ARM-s1" */
    Path directory;
    int nets;
    double compute;
    int64_t evaluations, rows, samples;
    double seconds;
    MomentNet at[MOMENTS_MAX]; /* the newest net at each moment's compute; the last is final */
    char failed[200];          /* why it goes no further; "": it does */
} ExperimentRun;

/* Which run learns when. */
typedef struct {
    int slice, arm, seed;
} ExperimentTurn;
ExperimentTurn experiment_turn(const Experiment *experiment, int turn);

typedef struct {
    ExperimentRun *runs;
    int run_count;
    RatePool pool;   /* players are the nets */
    char **paths;    /* [pool.players], of the nets' files, in the experiment's arena */
    int *run_of;     /* [pool.players] */
    EloFit fit;      /* the mean of the first arm's final nets is 0 */
    double *zero;    /* [pool.players]: the weights of those nets in that mean */
    double *weights; /* [pool.players], of a contrast */
    int anchor;      /* one of those nets */
    ArmWorth *worth; /* [arms]; by the final nets */
    SeedSpread spread;
} ExperimentResult;

MUST_USE Status experiment_run_path(const Experiment *experiment, int arm, int seed,
                                    ExperimentRun *out, Error *err);
/* Of each pair of nets of one moment. */
int experiment_games(const Experiment *experiment);
/* Compute and totals of a run as its index has them, 0 where there is none yet, and whether it has
 * failed. */
MUST_USE Status experiment_read_run(ExperimentRun *run, Error *err);
#define FAILED_FILE "failed.txt" /* of a run; without it the run is tried again */
/* The newest net that was made with at most so many multiply-adds, by the compute of each; NULL:
 * there is none. */
const IndexedNet *experiment_net_at(const IndexedNet *nets, int count, const MetricPoint *points,
                                    int point_count, double max, double *compute);
/* Keeps what all rating games have in common. ERR_ARGUMENT: those that are there had other
 * settings.
 */
MUST_USE Status experiment_keep_rating(const Experiment *experiment, Error *err);
/* Nets, games between them and the fit. */
MUST_USE Status experiment_rate(Experiment *experiment, ExperimentResult *out, Error *err);
void experiment_result_clear(ExperimentResult *result);
/* How much compute the arm needs for what the first does with 1, from the curves of both: above 1,
 * the first is better. 0: not known. *beyond: it is only a bound. */
double experiment_cost(const Experiment *experiment, const ExperimentResult *result, int arm,
                       bool *beyond);
/* Mean rating of an arm's nets at a moment, and how many there are that games connect with the
 * first arm's final nets; not finite where there is none. */
double experiment_mean(const ExperimentResult *result, int arm, int moment, int *count);
/* How far that mean may be off, as what it is: a difference to the first arm's final nets. Theirs
 * is 0, and nothing is off. */
ContrastError experiment_mean_error(const ExperimentResult *result, int arm, int moment);
/* The same of one net. */
ContrastError experiment_net_error(const ExperimentResult *result, int player);
/* Whether the net is there (not -1) and has a rating: games connect it with the first arm's final
 * nets. */
bool experiment_knows(const ExperimentResult *result, int player);
