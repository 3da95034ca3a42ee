/* cycle.h - self-play, train, gate, rate, and again: the whole run on one machine, from whatever
 * the directory holds. Any number of processes may play for a run; one trains, one makes its nets:
 * ERR_IO says that another one does. Threading: confined (threads inside). */
#pragma once
#include "base/progress.h"
#include "run/run_config.h"
#include "run/run_directory.h"
#include "run/run_index.h"

typedef struct Cycle Cycle;
/* What a run holds. */
typedef struct {
    int net; /* the newest net's number; 0: none */
    int64_t games, rows, samples, evaluations;
    double multiply_adds; /* of nets: those of each evaluation by a net in self-play (random play
                             has none), three times those of each sample in training */
} CycleTotals;
#define COMPUTE_FACT "multiply_adds" /* of the index: those of all processes of the run */
#define COMPUTE_METRIC "compute"     /* of the index: these multiply-adds when a net was made */
/* Opens or makes the run; recovers journals; loads the newest net and checkpoint. */
MUST_USE Status cycle_open(const char *directory, const RunConfig *config, Progress *progress,
                           Cycle **out, Error *err);
/* The same for the process that trains and makes nets, which it then is until the cycle is closed.
 * ERR_IO: another one is, and nothing was begun. */
MUST_USE Status cycle_open_alone(const char *directory, const RunConfig *config, Progress *progress,
                                 Cycle **out, Error *err);
void cycle_close(Cycle *cycle);
CycleTotals cycle_totals(const Cycle *cycle);
/* Goes on until `seconds` of work in this call are over (0: for ever) or a stop is asked for
 * (ERR_STOPPED), as the one process that trains and makes nets. ERR_IO: another one is. */
MUST_USE Status cycle_run(Cycle *cycle, double seconds, Error *err);
/* Work also ends when the run has come to so many multiply-adds in all; 0: no such end. At once, or
 * `at_net`, after the net that is being made. */
void cycle_limit_compute(Cycle *cycle, double multiply_adds, bool at_net);
bool cycle_spent(const Cycle *cycle); /* it has come to them */
/* Last ratings, then the table of nets, the best one's path, a game and report/index.html on `out`.
 */
MUST_USE Status cycle_finish(Cycle *cycle, StrBuf *out, Error *err);

/* The parts, for workers of their own. */
MUST_USE Status cycle_selfplay(Cycle *cycle, int64_t rows,
                               Error *err); /* until this many new rows are there */
MUST_USE Status cycle_train(Cycle *cycle, int64_t samples, Error *err); /* this many samples */
MUST_USE Status
cycle_accept(Cycle *cycle,
             Error *err); /* gate the trainer's averaged net; it becomes the newest if it passes */
