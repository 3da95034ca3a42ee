/* cycle_private.h - what the stages of a cycle share. */
#pragma once
#include "base/strbuf.h"
#include "base/thread.h"
#include "eval/evaluator.h"
#include "play/selfplay.h"
#include "run/cycle.h"
#include "run/journal.h"

typedef struct {
    Cycle *cycle;
    int index;
    SelfplayWorker *worker;
    Evaluator *evaluator;
    Journal *journal;
    Rows rows; /* of one game */
    Rng rng;
    char name[32];
    Status status;
    Error error;
} Worker;

struct Cycle {
    RunDirectory directory;
    RunConfig config;
    Progress *progress;
    RunIndex *index;
    int training, gating; /* locks held; -1: not */
    int length;           /* edge of rows and tensors */
    int threads;
    Trainer *trainer;
    Trainer *larger;              /* run.larger_arch beside it; NULL: not yet, or no more */
    bool larger_took;             /* `trainer` is of run.larger_arch */
    double own_loss, larger_loss; /* policy and value, summed over a training's batches ... */
    int compared;                 /* ... of which there were so many */
    double own_mean, larger_mean; /* of the last training that could decide; 0: none yet */
    char took_text[96];           /* when and with what losses the larger net took over */
    bool went_back;               /* the trainer, to its last good state, in the last training */
    int setbacks;                 /* trainings in a row in which it did */
    Loader *loader;
    Arena known_arena; /* paths of row files in the loader */
    char **known;
    size_t known_count, known_capacity;
    int64_t rows; /* on disk and in journals */
    int net_number;
    Net *net;        /* the newest accepted; NULL: random play */
    Net *player_net; /* the same in 8 bits; NULL: self-play runs `net` */
    char net_name[80];
    EvaluationCache *cache;
    Worker *workers;
    atomic_llong new_rows, new_games, evaluations; /* of the phase; evaluations of the run */
    int64_t games, games_kept, rows_wanted;        /* games of the run; the index knows so many */
    double started, deadline, seconds_before;      /* working time; deadline 0: none */
    atomic_bool over;                              /* of the phase */
    Metrics metrics;                               /* smoothed; rows 0: nothing trained yet ... */
    Metrics losses_before;                         /* ... and these are what the index knows */
    double compute;      /* multiply-adds of the run when `counted` evaluations were made */
    double compute_kept; /* of it the index knows so much */
    double cost;         /* of an evaluation by the newest net */
    int64_t counted;
    double compute_limit; /* 0: none */
    bool limit_at_net;
    int elo_net; /* the newest net that is rated; 0: none */
    double elo, elo_deviation;
    double phase_started;
    int64_t phase_evaluations;
    double speed; /* evaluations a second of the last self-play */
};

/* Makes this process the only one that trains, or makes nets, until the cycle is closed. ERR_IO:
 * another one does. */
MUST_USE Status cycle_hold_training(Cycle *cycle, Error *err);
MUST_USE Status cycle_hold_gating(Cycle *cycle, Error *err);
double cycle_seconds(const Cycle *cycle);
bool cycle_must_stop(const Cycle *cycle);
double cycle_compute(const Cycle *cycle); /* multiply-adds so far */
void cycle_count_compute(Cycle *cycle); /* at the end of self-play, and before another net plays */
/* Working time, evaluations and games of the process that trains, and what the multiply-adds of any
 * have grown by, into the index; comes to know those of the others. */
MUST_USE Status cycle_keep_totals(Cycle *cycle, Error *err);
#define GAMES_FACT "games" /* of the index: those of all processes of the run */
/* The losses and the newest rating that the index knows, to be shown until there are newer ones. */
MUST_USE Status cycle_recall(Cycle *cycle, Error *err);
/* Draws the progress: what is going on and how far it is. */
void cycle_show(Cycle *cycle, const char *phase, double done, double total, bool now);
/* Adds means of now to the curves' files; "train" or "validation". A fault is only told. */
void cycle_keep_curves(const Cycle *cycle, const char *kind, const Metrics *metrics);
Status cycle_read_rows(Cycle *cycle, Error *err); /* new row files into the loader */
/* Waits while the disk is nearly full, and says so; a moment in any case after something could not
 * be written. ERR_STOPPED. */
Status cycle_wait_for_room(Cycle *cycle, bool failed, Error *err);
Status cycle_rate(Cycle *cycle,
                  Error *err); /* games of the newest net against earlier ones, then a fit of all */
Status cycle_fit(Cycle *cycle, Error *err);
Status cycle_report(Cycle *cycle, StrBuf *out, Error *err);
Status workers_use_net(Cycle *cycle,
                       Error *err); /* makes or renews the self-play workers for the newest net */
void workers_free(Cycle *cycle);

/* The trainers, from the newest checkpoints that are whole; broken ones are set aside. */
MUST_USE Status trainers_open(Cycle *cycle, Error *err);
void trainers_free(Cycle *cycle);
/* Before a training: a larger net begins when it is time. */
MUST_USE Status trainers_begin(Cycle *cycle, Error *err);
/* One batch for all nets; `*metrics` are the first one's. As trainer_step(). */
MUST_USE Status trainers_step(Cycle *cycle, const Batch *batch, Metrics *metrics, Error *err);
/* Writes checkpoints and removes old ones. */
MUST_USE Status trainers_save(Cycle *cycle, Error *err);
typedef struct {
    char text[256];
} LargerText;
LargerText trainers_larger_text(const Cycle *cycle); /* how it is with it; "": none is wanted */
/* After a training whose checkpoints are written: the larger net takes over where its loss was
 * lower. */
MUST_USE Status trainers_compare(Cycle *cycle, Error *err);
