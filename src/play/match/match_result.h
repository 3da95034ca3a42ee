/* match_result.h - the results of the games of two players, during and after a match or tournament.
 * Threading: free functions. */
#pragma once
#include "play/match/sprt.h"

/* The results while games are played. */
typedef struct {
    int done;      /* games that are over, including those that count for nobody */
    int counted;   /* games that count */
    double points; /* of player 0 of each pairing, summed over the games that count */
} MatchStanding;

/* The results of all games of a pairing. */
typedef struct {
    int games, wins[2], draws; /* wins of player 0 and of player 1 */
    int wins_as_black[2], games_as_black[2];
    int failures[2]; /* games that each player lost by a crash, by time or by an illegal move */
    int distinct;    /* number of different games; exchanged colors make a game different */
    int unfinished;  /* games that a program ended by refusing a legal move; not in `games` */
    int64_t pairs[SPRT_OUTCOMES]; /* [k]: pairs of games in which player 0 won k / 2 points */
    SprtAnswer sprt;              /* of `pairs`, if the setup has a test */
    double seconds, evaluations;  /* of the whole match or tournament */
    double mean_moves;            /* per game */
} MatchResult;
/* Returns the points of player 0 per game, 0..1, with 0.5 for a draw. */
double match_score(const MatchResult *result);

typedef struct {
    char text[16];
} MatchScoreText;
/* Writes standing->points per game that counts, as a text such as "51.2%", or "-" if no game counts
 * yet. */
MatchScoreText match_score_text(const MatchStanding *standing);
