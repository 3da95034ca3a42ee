/* rate.h - how strong the nets of a run are, compared with each other and, over the time of the
 * run, with fixed opponents. Threading: confined (threads inside). */
#pragma once
#include "play/match/match.h"
#include "play/match/opponents.h"
#include "run/rating/rate_pool.h"
#include <stdint.h>

typedef struct {
    int number;                         /* of the net; 0: none was there yet */
    char name[80];                      /* its file */
    double seconds;                     /* of the run's working time when it was made */
    int64_t evaluations, rows, samples; /* of the run by then */
    double elo,
        deviation; /* against random play, from the run's own games; deviation 0: not rated */
} RatedNet;

/* All nets of the run in `directory`, oldest first; free(). ERR_IO where there is no run. */
MUST_USE Status rate_nets(const char *directory, RatedNet **out, int *count, Error *err);
/* The newest net that was there after `seconds` of work; number 0: none. */
RatedNet rate_net_at(const RatedNet *nets, int count, double seconds);
/* Plays `setup` with that net as player 0 and keeps its score in the run's index as the curve
 * "score.OPPONENT", 0..1; a run that may only be read gets none, which is logged. */
MUST_USE Status rate_against(const char *directory, const RatedNet *net, const MatchSetup *setup,
                             MatchResult *out, Error *err);

typedef struct {
    const char *directory; /* of the run */
    const RatedNet *nets;  /* [count], of the run */
    int count;
    const Ladder *ladder;
    const char *ladder_name; /* of the curve */
    const char
        *out_directory; /* of the games; NULL: in the run, ladder/ for seed 1, ladder-SEED/ */
    int games;          /* of each pair */
    int visits, threads;
    uint64_t seed;
    void (*on_game)(void *context, const MatchStanding *standing);
    void *context;
} RateLadder;
/* Plays each of the nets against each player of the ladder; games that are in the folder are not
 * played again. All that is there is rated in one fit with the ladder's known ratings fixed, or
 * with its first player as 0; the nets' ratings become the curve "elo.LADDER" of the run's index.
 * *pool and *fit: all players; clear both. */
MUST_USE Status rate_on_ladder(const RateLadder *how, RatePool *pool, EloFit *fit, Error *err);
