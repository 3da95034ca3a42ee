/* stage_selfplay.h - self-play of a run. There is one worker on each thread, with its own games,
 * evaluator and journal (journal.h). The workers share the net and the cache of evaluations.
 * Threading: confined (threads inside). */
#pragma once
#include "eval/evaluators/evaluator.h"
#include "play/selfplay/selfplay.h"
#include "run/stages/run_screen.h"
#include "run/store/journal.h"

typedef struct SelfplayStage SelfplayStage;

typedef struct {
    SelfplayStage *stage;
    int index;
    SelfplayWorker *worker; /* NULL until it plays for the first time */
    Evaluator *evaluator;
    Journal *journal; /* if NULL, the next game opens one */
    Rows rows;        /* of one game */
    /* `seeds` gives the seeds of evaluators and of `worker`; `rng` is used when rows are made. */
    Rng seeds, rng;
    int dropped; /* number of bad games in a row */
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
    Worker *workers;  /* by thread; NULL until self-play begins */
    atomic_bool over; /* tells the workers to return */
    int64_t rows_wanted;
    double next_look; /* when to look for a newer net, in clock_seconds() */
};

/* Makes the cache of evaluations. The caller must have set the parts of the run. */
MUST_USE Status stage_selfplay_open(SelfplayStage *stage, Error *err);
/* Tries to make row and game files of the journals (journal_publish()). Then frees the workers and
 * the cache. */
void stage_selfplay_close(SelfplayStage *stage);
/* Plays until there are this many new rows, work must stop, or another process has made a newer
 * net. Afterwards the rows are in files and have been counted. */
MUST_USE Status stage_selfplay(SelfplayStage *stage, int64_t rows, Error *err);
/* Makes or renews the workers for the newest net. */
MUST_USE Status stage_selfplay_use_net(SelfplayStage *stage, Error *err);
