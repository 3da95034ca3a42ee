/* net_match.h - games between two nets of a run, on the largest board size that self-play uses now.
 * The finished games are kept in the folder matches/ of the run until the caller has used the
 * result, so that a match that was stopped or killed continues with the games that it has.
 * Threading: confined (threads inside). */
#pragma once
#include "play/match/match.h"
#include "run/stages/run_screen.h"

typedef struct {
    const RunPlan *plan;
    const RunStore *store;
    const RunScreen *screen;
    const char *phase;         /* the name of the match on the screen: "gating" or "rating" */
    const Net *first, *second; /* second NULL: random play */
    int games, visits;
    const SprtSettings *sprt; /* the test that may end the match early; NULL: none */
    double deadline;          /* in clock_seconds(); 0: none */
    int64_t rows;             /* of the run, which decide the board size */
    int64_t samples;          /* of the run, which decide the seed */
} NetMatchSetup;
/* Plays the games that are missing. Removes what is left of other matches of the same phase. */
MUST_USE Status net_match_play(const NetMatchSetup *setup, MatchResult *out, Error *err);
/* Removes the games of a phase, once the result of its match has been used. A failure is logged. */
void net_match_forget(const RunStore *store, const char *phase);
/* Whether the run has games of a match of this phase whose result has not been used. */
bool net_match_is_unfinished(const RunStore *store, const char *phase);
