/* cycle_private.h - what the stages of a cycle share. */
#pragma once
#include "base/strbuf.h"
#include "base/thread.h"
#include "eval/evaluator.h"
#include "play/selfplay.h"
#include "run/cycle.h"
#include "run/journal.h"
#include "run/reuse.h"
#include "run/trainers.h"

typedef struct {
    Cycle *cycle;
    int index;
    SelfplayWorker *worker;
    Evaluator *evaluator;
    Journal *journal;
    Rows rows;      /* of one game */
    Rng seeds, rng; /* what all its random numbers come from; those of its rows */
    int dropped;    /* games in a row that gave no rows */
    char name[64];
    Status status;
    Error error;
} Worker;

struct Cycle {
    CycleRole role;
    bool opened; /* to its end */
    bool alone;  /* opened only if it could be the one that trains and makes nets */
    RunDirectory directory;
    RunConfig config;
    Progress *progress;
    RunIndex *index;      /* NULL: of a process that does not write it */
    int training, gating; /* locks held; -1: not */
    int length;           /* edge of rows and tensors; see cycle_outgrown() */
    int threads;
    Trainer *trainer;      /* NULL: of a process that does not train ... */
    int64_t samples_known; /* ... which knows so many of the net that it is about */
    LargerNet larger;      /* beside it */
    bool ignorant;         /* the averaged net, after the last training: worse than no knowledge */
    Loader *loader;
    Arena known_arena; /* paths of row files in the loader */
    char **known;
    size_t known_count, known_capacity;
    Earnings earnings_before, earnings; /* by the settings before this start; as last counted */
    int64_t rows; /* on disk and in journals; of a process that does not train: as of its net */
    int64_t random_rows; /* of them of random play, as far as is in the loader */
    int net_number;
    int64_t net_rows; /* of the run when the newest net was made; 0: there is none */
    Net *net;         /* the newest accepted; NULL: random play */
    Net *player_net;  /* the same in 8 bits; NULL: self-play runs `net` */
    char net_name[80];
    EvaluationCache *cache;
    Worker *workers;
    atomic_llong new_rows, new_games, evaluations; /* of the phase; evaluations of the run */
    int64_t games, rows_wanted;                    /* games of the run, as the index knows them */
    double started, deadline, seconds_before;      /* working time; deadline 0: none */
    atomic_bool over;                              /* of the phase */
    double next_look, next_keep;       /* for a newer net, and of totals, while one plays */
    int64_t evaluations_noted, played; /* evaluations that notes tell; rows by this process */
    Metrics metrics;                   /* smoothed; rows 0: nothing trained yet ... */
    Metrics losses_before;             /* ... and these are what the index knows */
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
    double speed;  /* evaluations a second of the last self-play */
    bool csv_fits; /* report/metrics.csv has the columns of this program */
};

/* Makes this process the only one that trains, or makes nets, until the cycle is closed. ERR_IO:
 * another one does. */
MUST_USE Status cycle_hold_training(Cycle *cycle, Error *err);
MUST_USE Status cycle_hold_gating(Cycle *cycle, Error *err);
/* The newest net that is whole; broken ones are set aside. */
MUST_USE Status cycle_load_net(Cycle *cycle, Error *err);
/* Sets `length` to the largest edge that is played with the newest net. */
MUST_USE Status cycle_find_length(Cycle *cycle, Error *err);
/* A newer net that another process made is this one's, before and between games. */
MUST_USE Status cycle_renew_net(Cycle *cycle, Error *err);
MUST_USE Status cycle_newer_net(const Cycle *cycle, bool *out,
                                Error *err); /* whether there is one */
/* The index and what it knows of the run. */
MUST_USE Status cycle_open_index(Cycle *cycle, Error *err);
/* Nets that the index does not know, with what their files say: those of a lost index, which is
 * told; those that were made while no process wrote it; those that came now, with what the run has
 * come to. */
typedef enum { NETS_LOST, NETS_LEFT, NETS_CAME } NetsNew;
MUST_USE Status cycle_index_nets(Cycle *cycle, NetsNew which, Error *err);
/* One net, with what the run had cost by then (0: not known), or nothing of it. */
MUST_USE Status cycle_index_net(Cycle *cycle, const IndexedNet *net, double compute, Error *err);
int64_t cycle_samples(const Cycle *cycle); /* of training */
double cycle_seconds(const Cycle *cycle);
bool cycle_must_stop(const Cycle *cycle);
double cycle_compute(const Cycle *cycle); /* multiply-adds so far */
void cycle_count_compute(Cycle *cycle); /* at the end of self-play, and before another net plays */
/* Working time, evaluations and games of the process that trains, and what the multiply-adds of any
 * have grown by, into the index; comes to know those of the others. */
MUST_USE Status cycle_keep_totals(Cycle *cycle, Error *err);
/* The totals now and then while a phase is under way, by one of its threads, unless another process
 * writes just then; changes nothing that the others read. */
void cycle_keep_meanwhile(Cycle *cycle);
#define GAMES_FACT "games" /* of the index: those of the notes beside the row files */
/* The losses and the newest rating that the index knows, to be shown until there are newer ones. */
MUST_USE Status cycle_recall(Cycle *cycle, Error *err);
/* Adds means of now to the curves' files; "train", "validation" or
 * "validation_averaged". A fault is only told. */
void cycle_keep_curves(Cycle *cycle, const char *kind, const Metrics *metrics);
/* New row files into the index and the loader; bad ones, also those that the loader found since,
 * are set aside. */
MUST_USE Status cycle_read_rows(Cycle *cycle, Error *err);
void cycle_set_bad_aside(Cycle *cycle);
/* Waits while the disk is nearly full, and says so. ERR_STOPPED. */
Status cycle_wait_for_room(Cycle *cycle, Error *err);
/* Failures to read or write, in a row. */
typedef struct {
    int count, most; /* so many end the tries; 0: as is usual */
} Failures;
/* After one that may pass, a disk that was full or a folder of another machine that is away: OK, a
 * while later, if it may be tried again. Else what it came to: the failure itself where it was no
 * ERR_IO, there were too many or work must stop, ERR_STOPPED where a stop was asked for. The pauses
 * grow. `fault` and `err` are two. */
MUST_USE Status cycle_try_again(Cycle *cycle, Status status, Failures *failures, const Error *fault,
                                Error *err);
/* What the page shows, of training or of a net on games that are not trained on, into the index,
 * under names that begin with `prefix`. */
MUST_USE Status cycle_keep_means(Cycle *cycle, const char *prefix, const Metrics *m, Error *err);
/* After a training: validates, and sets `ignorant` where the averaged net is worse than one that
 * knows nothing, which is told and counted; one that has learned nothing begins anew. */
MUST_USE Status cycle_judge(Cycle *cycle, Error *err);
Status cycle_rate(Cycle *cycle,
                  Error *err); /* games of the newest net against earlier ones, then a fit of all */
Status cycle_fit(Cycle *cycle, Error *err);
Status cycle_report(Cycle *cycle, StrBuf *out, Error *err);
Status workers_use_net(Cycle *cycle,
                       Error *err); /* makes or renews the self-play workers for the newest net */
void workers_free(Cycle *cycle);
MUST_USE Status worker_open_journal(Worker *worker, Error *err);
/* Into the journal, and into files first where that is full. A game whose rows cannot be is dropped
 * with a line in the log; too many in a row are a failure. Faults go into worker->error. */
MUST_USE Status worker_keep_game(Worker *worker, GameRecord *record);
MUST_USE Status workers_publish(Cycle *cycle, Error *err); /* all journals */

/* The net goes before the gate, or through it where none is set, into nets/ or rejected/. */
MUST_USE Status gate_decide(Cycle *cycle, Net *net /* taken */, Error *err);
/* Writes "NUMBER-HASH.aji" into the folder, with what the run has come to; waits for room. */
MUST_USE Status gate_write_net(Cycle *cycle, Net *net, const char *folder, const char *number,
                               Path *path, Error *err);
