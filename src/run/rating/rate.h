/* rate.h - the strength of the nets of a run: their ratings in the index, matches against one
 * opponent, and ratings on a ladder, which is a list of opponents. Threading: confined (threads
 * inside). */
#pragma once
#include "play/match/match.h"
#include "play/match/opponents.h"
#include "run/rating/rate_pool.h"
#include <stdint.h>

typedef struct {
    int number;                         /* number of the net; 0 if there was no net yet */
    char name[80];                      /* name of its file */
    double seconds;                     /* working time of the run when the net was made */
    int64_t evaluations, rows, samples; /* totals of the run when the net was made */
    /* Relative to random play, from the run's games. If the net is not rated, the deviation is
     * 0. */
    double elo, deviation;
} RatedNet;

/* Lists all nets of the run in `directory`, oldest first. The caller frees `*out`. ERR_IO: there is
 * no run. */
MUST_USE Status rate_nets(const char *directory, RatedNet **out, int *count, Error *err);
/* Returns the newest net that the run had after `seconds` of work. If there was none, the number of
 * the result is 0. */
RatedNet rate_net_at(const RatedNet *nets, int count, double seconds);
/* Plays the match `setup` with this net as player 0, and sets its score (0..1) in the curve
 * "score.OPPONENT" of the run's index and page. If these cannot be written, this is only logged.
 * The errors are those of match_run(), ERR_IO if there is no run, and ERR_ARGUMENT if the opponent
 * refused legal moves in all games. */
MUST_USE Status rate_against(const char *directory, const RatedNet *net, const MatchSetup *setup,
                             MatchResult *out, Error *err);

typedef struct {
    const char *directory; /* directory of the run */
    const RatedNet *nets;  /* [count]: the nets to be rated */
    int count;
    const Ladder *ladder;
    const char *ladder_name; /* goes into the name of the curve */
    /* Folder for the games. If NULL, it is ladder/ in the run, or ladder-SEED/ if seed is not 1. */
    const char *out_directory;
    int games; /* number of games of each net against each opponent */
    int visits, threads;
    uint64_t seed;
    void (*on_game)(void *context, const MatchStanding *standing);
    void *context;
} RateLadder;
/* Lets each of the nets play each player of the ladder. Games that the folder holds already are not
 * played again. All games of the folder are rated in one fit, in which the known ratings of the
 * ladder are fixed. If no rating is known, the first player of the ladder has the rating 0. The
 * ratings of nets that games connect with the ladder go into the curve "elo.LADDER" of the run's
 * index, and the page of the run is written. If the curve or the page cannot be written, there is
 * only a warning. `*pool` and `*fit` get all players and their ratings; the caller clears both. */
MUST_USE Status rate_on_ladder(const RateLadder *rating, RatePool *pool, EloFit *fit, Error *err);
