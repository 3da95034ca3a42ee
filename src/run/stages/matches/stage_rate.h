/* stage_rate.h - rates the nets of a run. The newest net plays earlier nets, and then the Elo
 * ratings of all nets are computed in one fit to all games. Threading: confined (threads
 * inside). */
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
    int64_t samples; /* number of samples that were trained on so far */
} RateParts;

/* Lets the newest net play earlier nets and the anchor, and then calls stage_rate_fit(). Does
 * nothing if there is no net or run.rate_games is 0. */
MUST_USE Status stage_rate(const RateParts *parts, Error *err);
/* Rates the nets in one fit to all games in the index: games between nets, against random play and
 * against the anchor. Random play has the rating 0. */
MUST_USE Status stage_rate_fit(const RateParts *parts, Error *err);
