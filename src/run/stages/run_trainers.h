/* run_trainers.h - the trainer of a run and, if run.larger_arch is set, the trainer of a larger
 * net. The larger net learns from the same batches, and takes over when it is better.
 * Threading: confined, except run_trainers_larger_text(), which the thread that shows the run calls
 * while the trainers' own thread waits. */
#pragma once
#include "run/stages/run_nets.h"
#include "run/store/run_clock.h"
#include "run/store/run_plan.h"
#include "run/store/run_store.h"
#include "train/trainer.h"

/* The larger net that trains in addition to the run's own net. Each loss here is the sum of policy
 * loss and value loss. */
typedef struct {
    int takeovers;    /* how many larger nets have taken over so far */
    Trainer *trainer; /* of the next larger net; NULL if this net has not begun or was given up, or
                         if there is no next one */
    bool given_up;    /* true after too many setbacks without progress, until the next start */
    int compared;     /* batches of this training that both nets learned from; 0 after a setback */
    double smaller_loss, loss; /* sums over these batches, of the smaller and the larger net */
    double smaller_mean, mean; /* mean losses in the last training with enough batches, or 0 */
    char takeover_text[96];    /* says when the last takeover was, and with which losses */
} LargerNet;

typedef struct {
    const RunPlan *plan;
    RunStore *store;
    RunClock *clock;  /* counts the multiply-adds of training */
    Trainer *trainer; /* the run's trainer; NULL before run_trainers_open() */
    LargerNet larger;
    bool ignorant; /* whether, after the last training, the averaged net was worse than a net that
                      knows nothing (stage_judge.h) */
} RunTrainers;

void run_trainers_init(RunTrainers *trainers, const RunPlan *plan, RunStore *store,
                       RunClock *clock);
/* Opens the trainers from the newest checkpoints that are not damaged. If there is none, the run's
 * own trainer begins anew (trainer_begin.h). A process that trains sets damaged checkpoints aside.
 * Other processes pass over them. ERR_UNSUPPORTED: a newer version of the program has made the
 * newest checkpoint. */
MUST_USE Status run_trainers_open(RunTrainers *trainers, Error *err);
void run_trainers_free(RunTrainers *trainers);
/* Opens the trainers again if another process has written newer checkpoints, or if a larger net
 * took over there. If the new checkpoints cannot be opened, this is logged, the present trainers
 * stay, and the result is OK. ERR_UNSUPPORTED is an exception: a newer version of the program has
 * written checkpoints, and the failure is returned. */
MUST_USE Status run_trainers_renew(RunTrainers *trainers, Error *err);
/* Returns the number of samples that training has used so far. The trainer knows it; in a process
 * without a trainer, the newest net says it. */
int64_t run_trainers_samples(const RunTrainers *trainers, const RunNets *nets);

/* Prepares a training when the run has `rows` rows. If these are enough rows for the next larger
 * net, this net begins. */
MUST_USE Status run_trainers_begin(RunTrainers *trainers, int64_t rows, Error *err);
/* Trains both nets on one batch as trainer_step() does, and sets `*metrics` to the metrics of the
 * run's own net. If the trainer of the larger net gives up, this net is left out until the next
 * start. run_trainers_note_setback() handles a setback of either net. */
MUST_USE Status run_trainers_step(RunTrainers *trainers, const Batch *batch, Metrics *metrics,
                                  Error *err);
/* Call this after a setback of a net, and after trainer_restart(), which also counts as a setback.
 * The function prints the reason with the name of the net, and counts the setback in the index. It
 * also replaces checkpoints that are newer than the trainer's present state by a checkpoint of this
 * state. */
void run_trainers_note_setback(RunTrainers *trainers, const char *name, const Trainer *trainer);
/* Writes the checkpoints of both nets and removes old ones. */
MUST_USE Status run_trainers_save(RunTrainers *trainers, Error *err);
/* Call this after a training, when its checkpoints are written. The larger net takes over if its
 * mean loss over enough batches was below the mean loss of the smaller net. */
MUST_USE Status run_trainers_compare(RunTrainers *trainers, Error *err);

/* One line about the state of the larger net, for the screen. The line is empty if no larger net is
 * wanted. */
typedef struct {
    char text[256];
} LargerText;
LargerText run_trainers_larger_text(const RunTrainers *trainers);
/* Writes the path of the file `name` in the folder of the k-th larger net, counted from 0. If
 * `name` is "", writes the path of the folder. */
MUST_USE Status run_trainers_larger_path(const RunDirectory *run, int k, const char *name,
                                         Path *out, Error *err);
