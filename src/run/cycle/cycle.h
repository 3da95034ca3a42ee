/* cycle.h - the work of one process on a run: self-play, training, gating and rating, again and
 * again. The process continues from whatever the directory holds. It does all kinds of work
 * (cycle_run()) or one kind of work (cycle_work_...()). Any number of processes may play for a run
 * at the same time. Only one process may train, and only one may make nets (judge candidates, and
 * write accepted ones to nets/). A second process that tries to train or to make nets gets ERR_IO.
 * Threading: confined (threads inside). */
#pragma once
#include "base/progress.h"
#include "run/store/index/run_index.h"
#include "run/store/run_config.h"
#include "run/store/run_directory.h"
#include "run/store/run_plan.h"

typedef struct Cycle Cycle;
/* The totals of a run. */
typedef struct {
    int net; /* number of the newest net; 0 if there is none */
    int64_t games, rows, samples, evaluations;
    int64_t played;       /* rows made by this process */
    double multiply_adds; /* cost of the run: the multiply-adds of the net, counted once for each
                             evaluation of self-play and three times for each training sample;
                             random play costs 0 */
} CycleTotals;
/* Opens or creates the run, recovers journals, and loads the newest net and checkpoint. */
MUST_USE Status cycle_open(const char *directory, const RunConfig *config, Progress *progress,
                           Cycle **out, Error *err);
/* Does the same, and also makes this process the only one that trains and makes nets until the
 * cycle is closed. ERR_IO: another process trains or makes nets; then the run is not changed. */
MUST_USE Status cycle_open_alone(const char *directory, const RunConfig *config, Progress *progress,
                                 Cycle **out, Error *err);
/* Opens a run with only the parts that one kind of work needs. The process that trains writes the
 * index (run_index.h). To the index it adds the work that other processes note in files. If the run
 * has settings already, the settings of a process that plays or gates are not written to run.cfg.
 * ERR_IO: another process already does the work of this role, which is to train or to make nets. */
MUST_USE Status cycle_open_as(CycleRole role, const char *directory, const RunConfig *config,
                              Progress *progress, Cycle **out, Error *err);
void cycle_close(Cycle *cycle);
/* Returns whether selfplay.sizes says that the newest net plays larger boards than this process has
 * room for. If so, the work ends; it continues when the run is opened again. Always returns false
 * in a process that only trains, because it has room for all sizes, and in one that only gates. */
bool cycle_outgrown(const Cycle *cycle);
CycleTotals cycle_totals(const Cycle *cycle);
/* Makes this process the only one that trains and makes nets until the cycle is closed. cycle_run()
 * does this, too. ERR_IO: another process trains or makes nets. */
MUST_USE Status cycle_hold(Cycle *cycle, Error *err);
/* Does all kinds of work until this call has worked for `seconds`; 0 means that there is no such
 * limit. The work also ends when net number run.nets is made, when the budget of
 * cycle_limit_compute() is spent, or when the run has outgrown this process (cycle_outgrown()).
 * ERR_STOPPED: a stop was requested. */
MUST_USE Status cycle_run(Cycle *cycle, double seconds, Error *err);
/* Sets a budget: work also ends when the run has cost this many multiply-adds in all. 0 means that
 * there is no budget. If `at_net` is true, the net that is being made then is completed first. */
void cycle_limit_compute(Cycle *cycle, double multiply_adds, bool at_net);
bool cycle_spent(const Cycle *cycle); /* whether the budget is used up */
/* Rates the newest net if it is not rated yet, unless a stop was requested. Writes
 * report/index.html. Adds to `out` the table of nets, the path of the best net and the newest
 * game. */
MUST_USE Status cycle_finish(Cycle *cycle, StrBuf *out, Error *err);

/* Each of these functions does one kind of work, in a process that does no other kind.
 *   - When it ends: when `seconds` seconds are over, or when it has made `rows` rows or trained on
 *     `samples` samples; 0 means that there is no such limit. It also ends, with OK, when a stop is
 *     requested, when net number run.nets is made, or when cycle_outgrown() is true.
 *   - What it takes from other processes, from time to time: self-play takes the newest net,
 *     training takes new rows, and the gate takes the newest candidate.
 *   - What it waits for: training waits until the sample budget allows more samples, and the gate
 *     waits for a candidate.
 *   - If `seconds` is CYCLE_ONCE, there is no time limit and no waiting, and run.nets has no
 *     effect. Training then needs `samples` and ignores the sample budget. The gate then judges a
 *     single net: the newest candidate or, if there is none, the net of the newest checkpoint. */
MUST_USE Status cycle_work_selfplay(Cycle *cycle, int64_t rows, double seconds, Error *err);
MUST_USE Status cycle_work_train(Cycle *cycle, int64_t samples, double seconds, Error *err);
MUST_USE Status cycle_work_gate(Cycle *cycle, double seconds, Error *err);
#define CYCLE_ONCE (-1.0) /* for `seconds`: do what can be done now, then end */

/* The functions from here on are the stages of an iteration of cycle_run(). */

/* Plays until there are this many new rows. */
MUST_USE Status cycle_selfplay(Cycle *cycle, int64_t rows, Error *err);
/* Trains on at most this many samples, in whole batches, and judges the net. */
MUST_USE Status cycle_train(Cycle *cycle, int64_t samples, Error *err);
/* Lets the gate judge the trainer's averaged net. If the net passes, it becomes the newest net. */
MUST_USE Status cycle_accept(Cycle *cycle, Error *err);
