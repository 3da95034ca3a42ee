/* stage_selfplay.h - self-play of a run: one worker a thread, each with its own games, evaluator
 * and journal; they share the net and the cache of evaluations. Threading: confined (threads
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
    Rng seeds, rng;   /* what all its random numbers come from; those of its rows */
    int dropped;      /* games in a row that gave no rows */
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
    /* its own */
    EvaluationCache *cache;
    Worker *workers;  /* one a thread; NULL: none have begun */
    atomic_bool over; /* the workers end */
    int64_t rows_wanted;
    double next_look; /* for a newer net, in clock_seconds() */
};

/* Makes the cache; the parts are set. */
MUST_USE Status stage_selfplay_open(SelfplayStage *stage, Error *err);
/* Publishes what can be published, and ends the workers. */
void stage_selfplay_close(SelfplayStage *stage);
/* Plays until this many new rows are there, work must stop or another process has made a newer net.
 * The rows are in files then, and counted. */
MUST_USE Status stage_selfplay(SelfplayStage *stage, int64_t rows, Error *err);
/* Makes or renews the workers for the newest net. */
MUST_USE Status stage_selfplay_use_net(SelfplayStage *stage, Error *err);
