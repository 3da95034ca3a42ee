/* stage_rate.h - rates the nets of a run: the newest net plays earlier ones, then the ratings are
 * fitted to all games. Threading: confined (threads inside). */
#pragma once
#include "run/stages/run_screen.h"

/* The parts of the run that rating uses. */
typedef struct {
    const RunPlan *plan;
    RunStore *store;
    const RunClock *clock;
    const RunNets *nets;
    RunResults *results;
    const RunScreen *screen;
    int64_t samples; /* of the run */
} RateParts;

/* Plays the newest net against earlier ones, then fits. */
MUST_USE Status stage_rate(const RateParts *parts, Error *err);
/* Rates the nets by all games between nets of the run, in one fit. */
MUST_USE Status stage_rate_fit(const RateParts *parts, Error *err);
