/* cycle.h - self-play, train, gate, rate, and again: the whole run on one machine, from whatever
 * the directory holds. Any number of processes may play for a run; one trains, one makes its nets:
 * ERR_IO says that another one does. Threading: confined (threads inside). */
#pragma once
#include "base/progress.h"
#include "run/store/run_config.h"
#include "run/store/run_directory.h"
#include "run/store/run_index.h"
#include "run/store/run_plan.h"

typedef struct Cycle Cycle;
/* What a run holds. */
typedef struct {
    int net; /* the newest net's number; 0: none */
    int64_t games, rows, samples, evaluations;
    int64_t played;       /* rows by this process */
    double multiply_adds; /* of nets: those of each evaluation by a net in self-play (random play
                             has none), three times those of each sample in training */
} CycleTotals;
/* Opens or makes the run; recovers journals; loads the newest net and checkpoint. */
MUST_USE Status cycle_open(const char *directory, const RunConfig *config, Progress *progress,
                           Cycle **out, Error *err);
/* The same for the process that trains and makes nets, which it then is until the cycle is closed.
 * ERR_IO: another one is, and nothing was begun. */
MUST_USE Status cycle_open_alone(const char *directory, const RunConfig *config, Progress *progress,
                                 Cycle **out, Error *err);
/* The same with the parts that one kind of work needs. A process that trains is the coordinator: it
 * alone writes the index, to which it adds what the others leave in files. One that plays or gates
 * keeps its settings to itself where the run has some. ERR_IO: another process trains, or makes the
 * nets. */
MUST_USE Status cycle_open_as(CycleRole role, const char *directory, const RunConfig *config,
                              Progress *progress, Cycle **out, Error *err);
void cycle_close(Cycle *cycle);
/* The newest net is the first one with which larger boards are played (selfplay.sizes): work has
 * ended, and goes on when the run is opened again. Never true of a process that only trains: it has
 * room for all sizes from the beginning. */
bool cycle_outgrown(const Cycle *cycle);
CycleTotals cycle_totals(const Cycle *cycle);
/* Makes this process the one that trains and makes nets, until the cycle is closed; cycle_run()
 * does it too. ERR_IO: another one is. */
MUST_USE Status cycle_hold(Cycle *cycle, Error *err);
/* Goes on until `seconds` of work in this call are over (0: for ever) or a stop is asked for
 * (ERR_STOPPED). */
MUST_USE Status cycle_run(Cycle *cycle, double seconds, Error *err);
/* Work also ends when the run has come to so many multiply-adds in all; 0: no such end. At once, or
 * `at_net`, after the net that is being made. */
void cycle_limit_compute(Cycle *cycle, double multiply_adds, bool at_net);
bool cycle_spent(const Cycle *cycle); /* it has come to them */
/* Last ratings, then the table of nets, the best one's path, a game and report/index.html on `out`.
 */
MUST_USE Status cycle_finish(Cycle *cycle, StrBuf *out, Error *err);

/* Work of a process of its own until `seconds` are over (0: no such end), so many rows or samples
 * are made (0: no such end) or a stop is asked for, which is OK. Between games and batches each
 * takes up what the others have left: self-play the newest net, training new rows, the gate the
 * newest candidate; each waits for what is not there yet. Training without a count goes as far as
 * the sample budget of the rows allows. With CYCLE_ONCE training does not wait, and the gate judges
 * one net: the newest candidate, else that of the newest checkpoint. */
MUST_USE Status cycle_work_selfplay(Cycle *cycle, int64_t rows, double seconds, Error *err);
MUST_USE Status cycle_work_train(Cycle *cycle, int64_t samples, double seconds, Error *err);
MUST_USE Status cycle_work_gate(Cycle *cycle, double seconds, Error *err);
#define CYCLE_ONCE (-1.0) /* seconds: do what is there, then end */

/* The stages of a turn. */
/* Plays until this many new rows are there. */
MUST_USE Status cycle_selfplay(Cycle *cycle, int64_t rows, Error *err);
MUST_USE Status cycle_train(Cycle *cycle, int64_t samples, Error *err); /* this many samples */
/* Puts the trainer's averaged net before the gate; it becomes the newest net if it passes. */
MUST_USE Status cycle_accept(Cycle *cycle, Error *err);
