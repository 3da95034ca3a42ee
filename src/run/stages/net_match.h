/* net_match.h - games between two nets of a run, on the largest size that is played now.
 * Threading: confined (threads inside). */
#pragma once
#include "play/match/match.h"
#include "run/stages/run_screen.h"

typedef struct {
    const RunPlan *plan;
    const RunScreen *screen;
    const char *phase;         /* as the screen calls it */
    const Net *first, *second; /* second NULL: random play */
    int games, visits;
    const SprtSettings *sprt; /* NULL: all games are played */
    double deadline;          /* in clock_seconds(); 0: none */
    int64_t rows;             /* of the run: they decide the size */
    int64_t samples;          /* of the run: they decide the seed */
} NetMatchSetup;
MUST_USE Status net_match_play(const NetMatchSetup *setup, MatchResult *out, Error *err);
