/* cycle.h - a run: self-play, training, gating and rating, again and again. A process continues
 * from whatever the directory holds. It does all of this work (cycle_run()) or one kind of it
 * (cycle_work_...()). Any number of processes may play for a run, but only one may train, and only
 * one may make nets; ERR_IO says that another one does. Threading: confined (threads inside). */
#pragma once
#include "base/progress.h"
#include "run/store/run_config.h"
#include "run/store/run_directory.h"
#include "run/store/run_index.h"
#include "run/store/run_plan.h"

typedef struct Cycle Cycle;
/* The totals of a run. */
typedef struct {
    int net; /* the newest net's number; 0: none */
    int64_t games, rows, samples, evaluations;
    int64_t played;       /* rows made by this process */
    double multiply_adds; /* those of a net for each of its evaluations in self-play (none in random
                             play), and three times those for each sample in training */
} CycleTotals;
/* Opens or creates the run, recovers journals, and loads the newest net and checkpoint. */
MUST_USE Status cycle_open(const char *directory, const RunConfig *config, Progress *progress,
                           Cycle **out, Error *err);
/* The same, and makes this process the one that trains and makes nets until the cycle is closed.
 * ERR_IO: another process does, and the run has not been changed. */
MUST_USE Status cycle_open_alone(const char *directory, const RunConfig *config, Progress *progress,
                                 Cycle **out, Error *err);
/* Opens a run with only the parts that one kind of work needs. A process that trains is the
 * coordinator: it alone writes the index, to which it adds the work that others note in files. The
 * settings of a process that plays or gates are not kept if the run has settings already. ERR_IO:
 * another process trains, or makes the nets. */
MUST_USE Status cycle_open_as(CycleRole role, const char *directory, const RunConfig *config,
                              Progress *progress, Cycle **out, Error *err);
void cycle_close(Cycle *cycle);
/* Whether the newest net is the first one for which larger boards are played (selfplay.sizes) than
 * this process has room for. Its work has then ended, and continues when the run is opened again.
 * Never true of a process that only trains, which has room for all sizes, or only gates. */
bool cycle_outgrown(const Cycle *cycle);
CycleTotals cycle_totals(const Cycle *cycle);
/* Makes this process the one that trains and makes nets until the cycle is closed, as cycle_run()
 * does, too. ERR_IO: another process does. */
MUST_USE Status cycle_hold(Cycle *cycle, Error *err);
/* Works until `seconds` of this call are over (0: for ever) or a stop is requested
 * (ERR_STOPPED). */
MUST_USE Status cycle_run(Cycle *cycle, double seconds, Error *err);
/* Also ends the work when the run has cost this many multiply-adds in all (0: never): at once, or,
 * with `at_net`, when the net that is being made is complete. */
void cycle_limit_compute(Cycle *cycle, double multiply_adds, bool at_net);
bool cycle_spent(const Cycle *cycle); /* whether the run has cost that many */
/* Rates the newest net if it is not rated, writes report/index.html, and adds the table of nets,
 * the path of the best one and the newest game to `out`. */
MUST_USE Status cycle_finish(Cycle *cycle, StrBuf *out, Error *err);

/* One kind of work, for a process of its own. It ends when `seconds` are over (0: no limit), when
 * this many rows or samples are made (0: no limit), or when a stop is requested, which is OK.
 * Between games and batches each kind picks up what other processes have made: self-play the newest
 * net, training new rows, the gate the newest candidate. Each waits for what is missing. Training
 * without a number of samples goes as far as the sample budget of the rows allows. With CYCLE_ONCE
 * training does not wait, and the gate judges a single net: the newest candidate, otherwise that of
 * the newest checkpoint. */
MUST_USE Status cycle_work_selfplay(Cycle *cycle, int64_t rows, double seconds, Error *err);
MUST_USE Status cycle_work_train(Cycle *cycle, int64_t samples, double seconds, Error *err);
MUST_USE Status cycle_work_gate(Cycle *cycle, double seconds, Error *err);
#define CYCLE_ONCE (-1.0) /* seconds: do what is there, then end */

/* The stages of an iteration. */
/* Plays until there are this many new rows. */
MUST_USE Status cycle_selfplay(Cycle *cycle, int64_t rows, Error *err);
MUST_USE Status cycle_train(Cycle *cycle, int64_t samples, Error *err); /* this many samples */
/* Lets the gate judge the trainer's averaged net, which becomes the newest net if it passes. */
MUST_USE Status cycle_accept(Cycle *cycle, Error *err);
