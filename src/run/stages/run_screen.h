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

/* The parts of the run that are shown. */
typedef struct {
    const RunPlan *plan;
    const RunClock *clock;
    const RunNets *nets;
    const RunRows *rows;
    const RunTrainers *trainers;
    const RunResults *results;
} RunScreen;

/* Shows the phase and how much of it is done. Does nothing if the last call was only a moment ago,
 * except if `now` is true. */
void run_screen_show(const RunScreen *screen, const char *phase, double done, double total,
                     bool now);
