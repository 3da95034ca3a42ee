/* rate.h - the strength of the nets of a run: their known ratings, matches against one opponent,
 * and ratings on a ladder of fixed opponents. Threading: confined (threads inside). */
#pragma once
#include "play/match/match.h"
#include "play/match/opponents.h"
#include "run/rating/rate_pool.h"
#include <stdint.h>

typedef struct {
    int number;                         /* of the net; 0: there was no net yet */
    char name[80];                      /* its file */
    double seconds;                     /* working time of the run when the net was made */
    int64_t evaluations, rows, samples; /* totals of the run when the net was made */
    double elo,
        deviation; /* relative to random play, by the run's own games; deviation 0: unrated */
} RatedNet;

/* Lists all nets of the run in `directory`, oldest first. The caller frees `*out`. ERR_IO: there is
 * no run. */
MUST_USE Status rate_nets(const char *directory, RatedNet **out, int *count, Error *err);
/* Returns the newest net that the run had after `seconds` of work; number 0: none. */
RatedNet rate_net_at(const RatedNet *nets, int count, double seconds);
/* Plays the match `setup` with this net as player 0, and adds its score (0..1) to the curve
 * "score.OPPONENT" in the run's index. If the run is read-only, the score is only logged. Errors as
 * match_run(), and ERR_ARGUMENT if the opponent refused legal moves in all games. */
MUST_USE Status rate_against(const char *directory, const RatedNet *net, const MatchSetup *setup,
                             MatchResult *out, Error *err);

typedef struct {
    const char *directory; /* of the run */
    const RatedNet *nets;  /* [count], of the run */
    int count;
    const Ladder *ladder;
    const char *ladder_name; /* in the name of the curve */
    /* For the games. NULL: ladder/ in the run, or ladder-SEED/ if seed is not 1. */
    const char *out_directory;
    int games; /* of each net against each opponent */
    int visits, threads;
    uint64_t seed;
    void (*on_game)(void *context, const MatchStanding *standing);
    void *context;
} RateLadder;
/* Plays each of the nets against each player of the ladder, except games that the folder holds
 * already. All games of the folder are rated in one fit, in which the known ratings of the ladder
 * are fixed; if none is known, its first player has 0. The ratings of the nets are added to the
 * curve "elo.LADDER" of the run's index. *pool, *fit: all players; the caller clears both. */
MUST_USE Status rate_on_ladder(const RateLadder *rating, RatePool *pool, EloFit *fit, Error *err);
