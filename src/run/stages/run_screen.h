/* run_screen.h - what is shown while a run works: a block for a terminal of 80 columns, one line
 * for a pipe. Threading: confined, but for run_screen_show(): while the run's thread waits for a
 * match or for self-play, one of their threads at a time calls it. */
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

/* Shows what is going on and how much of it is done; `now`: at once, else every now and then. */
void run_screen_show(const RunScreen *screen, const char *phase, double done, double total,
                     bool now);
