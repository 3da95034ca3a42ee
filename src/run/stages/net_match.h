/* net_match.h - games between two nets of a run, on the largest board size that self-play uses now.
 * Threading: confined (threads inside). */
#pragma once
#include "play/match/match.h"
#include "run/stages/run_screen.h"

typedef struct {
    const RunPlan *plan;
    const RunScreen *screen;
    const char *phase;         /* the name of the match on the screen */
    const Net *first, *second; /* second NULL: random play */
    int games, visits;
    const SprtSettings *sprt; /* the test that may end the match early; NULL: none */
    double deadline;          /* in clock_seconds(); 0: none */
    int64_t rows;             /* of the run, which decide the board size */
    int64_t samples;          /* of the run, which decide the seed */
} NetMatchSetup;
MUST_USE Status net_match_play(const NetMatchSetup *setup, MatchResult *out, Error *err);
