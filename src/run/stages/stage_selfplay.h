/* stage_selfplay.h - self-play of a run: one worker on each thread, with its own games, evaluator
 * and journal. The workers share the net and the cache of evaluations. Threading: confined (threads
 * inside). */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "play/selfplay/selfplay.h"
#include "run/stages/run_screen.h"
#include "run/store/journal.h"

typedef struct SelfplayStage SelfplayStage;

typedef struct {
    SelfplayStage *stage;
    int index;
    SelfplayWorker *worker; /* NULL: it has not played yet */
    Evaluator *evaluator;
    Journal *journal; /* NULL: the next game opens one */
    Rows rows;        /* of one game */
    Rng seeds, rng;   /* of the seeds of its parts; of the making of rows */
    int dropped;      /* bad games in a row */
    char name[64];
    Status status;
    Error error;
} Worker;

struct SelfplayStage {
    /* the parts of the run that self-play uses */
    const RunPlan *plan;
    RunStore *store;
    RunClock *clock;
    RunNets *nets;
    RunRows *rows;
    const RunScreen *screen;
    /* its own state */
    EvaluationCache *cache;
    Worker *workers;  /* by thread; NULL: self-play has not begun */
    atomic_bool over; /* tells the workers to return */
    int64_t rows_wanted;
    double next_look; /* when to look for a newer net, in clock_seconds() */
};

/* Makes the cache. The caller has set the parts of the run. */
MUST_USE Status stage_selfplay_open(SelfplayStage *stage, Error *err);
/* Publishes the journals if possible, and frees the workers. */
void stage_selfplay_close(SelfplayStage *stage);
/* Plays until there are this many new rows, work must stop, or another process has made a newer
 * net. The rows are then in files, and counted. */
MUST_USE Status stage_selfplay(SelfplayStage *stage, int64_t rows, Error *err);
/* Makes or renews the workers for the newest net. */
MUST_USE Status stage_selfplay_use_net(SelfplayStage *stage, Error *err);
