/* match.h - games between two players, sides alternating; many at once through shared batches where
 * both are engines. Each opening is played from both sides. Resumes: finished games in
 * `out_directory` are not played again. Threading: confined (threads inside). */
#pragma once
#include "base/statistic.h"
#include "eval/evaluators/evaluator.h"
#include "play/player.h"
#include "play/sprt.h"

typedef struct {
    int done;      /* games that are over, also those that count for nobody */
    int counted;   /* those that count */
    double points; /* of the first players, in them */
} MatchStanding;

typedef struct {
    PlayerSpec players[2];
    int games;
    int width, height;
    Rules rules;       /* with komi */
    int opening_moves; /* random legal moves (no pass, no own-eye filling) before the players take
                          over; every opening is used twice */
    int threads;
    uint64_t seed;
    int move_limit;            /* 0: 4 * area; then scored as it stands */
    const char *out_directory; /* SGF files; NULL: none */
    const Net *nets[2];        /* use these instead of net_path; NULL: load */
    const SprtSettings *sprt;  /* ends the match once it is decided; NULL: all games are played */
    double deadline;           /* of clock_seconds(), when games under way are left; 0: none */
    void (*on_game)(void *context, const MatchStanding *standing);
    void *context;
} MatchSetup;

typedef struct {
    int games, wins[2], draws; /* of player 0 and 1 */
    int wins_as_black[2], games_as_black[2];
    int failures[2]; /* games lost by crash, time or illegal move, counted in the other's wins */
    int distinct;    /* of `games`, those that differ in a move or in who has which color */
    int unfinished;  /* games beside `games`, ended by a program that refused a legal move */
    int64_t pairs[SPRT_OUTCOMES]; /* openings played from both sides, by the points of player 0:
                                     0, 1/2 .. 2 */
    SprtAnswer sprt;              /* of `pairs`, where a test was asked for */
    double seconds, evaluations;
    double mean_moves;
} MatchResult;
/* *out holds what was finished, also on failure; of a match that a test decided, the games up to
 * the pair that did, in the order of their numbers, however many threads played them. ERR_STOPPED:
 * by a stop or the deadline; ERR_IO, ERR_ILLEGAL: a program cannot be started or refuses the board;
 * ERR_ARGUMENT: out_directory holds games of another match. A program's fault during a game only
 * loses that game.
 * A program that refuses a move which the rules allow plays by other rules: that game counts for
 * nobody, and is not played again. */
MUST_USE Status match_run(const MatchSetup *setup, MatchResult *out, Error *err);
double match_score(const MatchResult *result); /* of player 0, draws half, 0..1 */
typedef struct {
    char text[16];
} MatchScoreText;
/* "51.2%" of the first players' points; "-": no game counts yet. */
MatchScoreText match_score_text(const MatchStanding *standing);
