/* cycle_private.h - the inside of a cycle: the parts of a run, and the steps that several kinds of
 * work share. Each part has a header of its own:
 *
 *     plan      what the process is to do              run_plan.h
 *     store     directory, index, locks                run_store.h
 *     clock     time, multiply-adds, when work ends    run_clock.h
 *     nets      the newest net                         run_nets.h
 *     rows      row files and their loader             run_rows.h
 *     trainers  trainers of the net and the larger net run_trainers.h
 *     budget    samples that may be trained on         run_budget.h
 *     results   losses and ratings                     run_results.h
 *     screen    shows the state of these parts         run_screen.h
 *
 * The stages (stage_selfplay.h, stage_train.h, stage_judge.h, stage_gate.h, stage_rate.h) get only
 * the parts that they use. */
#pragma once
#include "run/cycle/cycle.h"
#include "run/cycle/run_budget.h"
#include "run/stages/disk_retry.h"
#include "run/stages/matches/stage_gate.h"
#include "run/stages/matches/stage_rate.h"
#include "run/stages/run_screen.h"
#include "run/stages/stage_selfplay.h"
#include "run/stages/stage_train.h"
#include "run/store/index/net_index.h"

struct Cycle {
    bool alone;  /* set by cycle_open_alone() */
    bool opened; /* set when opening is complete */
    RunPlan plan;
    RunStore store;
    RunClock clock;
    RunNets nets;
    RunRows rows;
    RunTrainers trainers;
    RunBudget budget;
    RunResults results;
    RunScreen screen;
    RunPhase phase; /* the one that the screen shows */
    SelfplayStage selfplay;
};

/* Return the parts of the cycle that gating uses, and the parts that are needed to repeat a failed
 * step (disk_retry.h). */
GateParts cycle_gate_parts(Cycle *cycle);
DiskRetry cycle_retry(const Cycle *cycle);

/* Make this process the only one that trains, or the only one that makes nets, until the cycle is
 * closed. ERR_IO: another process does this work. */
MUST_USE Status cycle_hold_training(Cycle *cycle, Error *err);
MUST_USE Status cycle_hold_gating(Cycle *cycle, Error *err);
int64_t cycle_samples(const Cycle *cycle); /* number of samples trained on so far */
/* Loads the newest net that can be read. A process that does not read rows learns from this net how
 * many rows the run has. */
MUST_USE Status cycle_load_net(Cycle *cycle, Error *err);
/* Loads a newer net if another process has made one. Call this only between phases of self-play. */
MUST_USE Status cycle_renew_net(Cycle *cycle, Error *err);
/* If self-play has begun and cycle_outgrown() is false, self-play continues with the newest net.
 * Otherwise this only sets the cost of an evaluation in the clock. */
MUST_USE Status cycle_use_net(Cycle *cycle, Error *err);
MUST_USE Status cycle_index_nets(Cycle *cycle, NetsNew which, Error *err);
MUST_USE Status cycle_read_rows(Cycle *cycle, Error *err);
MUST_USE Status cycle_keep_totals(Cycle *cycle, Error *err);
/* Lets the newest net play earlier nets, and then fits the ratings of all nets. */
MUST_USE Status cycle_rate(Cycle *cycle, Error *err);
/* Writes the report of cycle_finish(). */
MUST_USE Status cycle_report(Cycle *cycle, StrBuf *out, Error *err);
/* Sets `*left` to the number of samples that the sample budget still allows. */
MUST_USE Status cycle_samples_left(Cycle *cycle, int64_t *left, Error *err);
