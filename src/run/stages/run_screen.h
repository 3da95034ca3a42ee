/* run_screen.h - shows the state of a run while it works: a block of lines, made for 80 columns, on
 * a terminal, and a single line in a pipe. Threading: confined, except that the threads of a match
 * or of self-play call run_screen_show(), one at a time, while the run's own thread waits. */
#pragma once
#include "run/stages/run_nets.h"
#include "run/stages/run_results.h"
#include "run/stages/run_trainers.h"
#include "run/store/run_clock.h"
#include "run/store/run_plan.h"
#include "run/store/run_rows.h"

/* The phase of work that is shown: how much of it was done when it was first shown, and then. */
typedef struct {
    char name[16];
    double total, done, done_first;
    double begun; /* in clock_seconds() */
} RunPhase;
/* Notes at the time `now` that `done` of `total` of this phase is done. Returns how many seconds
 * the rest of the phase takes at its mean speed since it was first shown, or HUGE_VAL if this is
 * not known yet. Another name or total, or less work done than before, begins another phase. */
double run_phase_note(RunPhase *phase, const char *name, double done, double total, double now);

/* The parts of the run that are shown. */
typedef struct {
    const RunPlan *plan;
    const RunClock *clock;
    const RunNets *nets;
    const RunRows *rows;
    const RunTrainers *trainers;
    const RunResults *results;
    RunPhase *phase;
} RunScreen;

/* Shows the phase and how much of it is done. Does nothing if the last call was only a moment ago,
 * except if `now` is true. */
void run_screen_show(const RunScreen *screen, const char *phase, double done, double total,
                     bool now);
