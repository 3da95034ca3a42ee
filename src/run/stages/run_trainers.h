/* run_trainers.h - the trainer of a run and, where run.larger_arch is set, that of the larger net
 * beside it: their start, steps and checkpoints, and which of them makes the nets. Threading:
 * confined, but for run_trainers_larger_text(), which the thread calls that shows the run while the
 * trainers' own thread waits. */
#pragma once
#include "run/stages/run_nets.h"
#include "run/store/run_clock.h"
#include "run/store/run_plan.h"
#include "run/store/run_store.h"
#include "train/trainer.h"

/* The larger net that trains beside the one that plays. Losses are policy and value together. */
typedef struct {
    int takeovers;    /* how many larger nets took over; the run's trainer is the last one's */
    Trainer *trainer; /* the next one's; NULL: it has not begun, or there are no more */
    bool given_up;    /* until a new start: it went back again and again */
    int compared;     /* batches of this training that both nets have learned ... */
    double smaller_loss, loss; /* ... and the sums of their losses over them */
    double smaller_mean, mean; /* of the last training that could decide; 0: there was none */
    char takeover_text[96];    /* when and with what losses the last one took over */
} LargerNet;

typedef struct {
    const RunPlan *plan;
    RunStore *store;
    RunClock *clock;  /* which counts what training costs */
    Trainer *trainer; /* NULL: this process does not train */
    LargerNet larger;
    bool ignorant; /* the averaged net of the last training was worse than no knowledge */
} RunTrainers;

void run_trainers_init(RunTrainers *trainers, const RunPlan *plan, RunStore *store,
                       RunClock *clock);
/* Opens the trainers from the newest checkpoints that are whole; broken ones are set aside. */
MUST_USE Status run_trainers_open(RunTrainers *trainers, Error *err);
void run_trainers_free(RunTrainers *trainers);
/* Takes up checkpoints of another process that are newer. */
MUST_USE Status run_trainers_renew(RunTrainers *trainers, Error *err);
/* Samples of the run: those of the trainer, else those of the net that the process has. */
int64_t run_trainers_samples(const RunTrainers *trainers, const RunNets *nets);

/* Before a training of a run with `rows`: the next larger net begins when it is time. */
MUST_USE Status run_trainers_begin(RunTrainers *trainers, int64_t rows, Error *err);
/* Trains all nets on one batch; `*metrics` are the first one's. As trainer_step(), but a larger net
 * for which that fails is given up until a new start. Where a net goes back to its last good state,
 * that is told and counted, and checkpoints newer than that state are removed. */
MUST_USE Status run_trainers_step(RunTrainers *trainers, const Batch *batch, Metrics *metrics,
                                  Error *err);
/* After a net went back, or began anew: tells why, by the name of the net, counts it, and replaces
 * checkpoints that are newer than its state by one of that state. */
void run_trainers_went_back(RunTrainers *trainers, const char *name, const Trainer *trainer);
/* Writes checkpoints and removes old ones. */
MUST_USE Status run_trainers_save(RunTrainers *trainers, Error *err);
/* After a training whose checkpoints are written: the larger net takes over where its loss was
 * lower. */
MUST_USE Status run_trainers_compare(RunTrainers *trainers, Error *err);

/* One line about the state of the larger net, for the screen; empty if no larger net is wanted. */
typedef struct {
    char text[256];
} LargerText;
LargerText run_trainers_larger_text(const RunTrainers *trainers);
/* The path of file `name` in the folder of the k-th larger net, from 0 on; "": of the folder. */
MUST_USE Status run_trainers_larger_path(const RunDirectory *run, int k, const char *name,
                                         Path *out, Error *err);
