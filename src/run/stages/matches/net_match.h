/* net_match.h - games of a net of a run against another net or player. The board is a square, with
 * the longest side that self-play uses at this time, unless the settings of the gate say that
 * boards are drawn. The finished games are kept in the folder matches/ of the run until the caller
 * has used the result. So if a match was stopped or killed, it can continue with the games that are
 * there. Threading: confined (threads inside). */
#pragma once
#include "play/match/match.h"
#include "run/stages/run_screen.h"

typedef struct {
    const RunPlan *plan;
    const RunStore *store;
    const RunScreen *screen;
    const char *phase; /* the kind of match, which the screen shows: "gating", "rating", "anchor" */
    const Net *first, *second;  /* if `second` is NULL, `first` plays `opponent` or random play */
    const PlayerSpec *opponent; /* if not NULL, the second player; the rules are then Chinese,
                                   because most programs know these rules */
    int games, visits;
    const SprtSettings *sprt; /* a test that may end the match early, or NULL */
    double pass_score;        /* see MatchSetup; 0: all games are played */
    const GateSettings *gate; /* if not NULL: its draws, temperatures and resigning hold */
    double deadline;          /* in clock_seconds(); 0 if there is none */
    int64_t rows;             /* number of rows of the run, which decides the board size */
    int64_t samples;          /* number of samples of the run, on which the seed depends */
} NetMatchSetup;
/* Plays the games of the match that are missing. If the games that are there were played with other
 * settings, removes them and plays all games. Also removes the games of other matches of the same
 * phase. The errors are those of match_run(). */
MUST_USE Status net_match_play(const NetMatchSetup *setup, MatchResult *out, Error *err);
/* Removes the games of a phase. Call this after the result of its match has been used. A failure is
 * only logged. */
void net_match_forget(const RunStore *store, const char *phase);
/* Returns whether the run has games of a match of this phase whose result has not been used yet. */
bool net_match_is_unfinished(const RunStore *store, const char *phase);
