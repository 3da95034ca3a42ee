/* match_result.h - what the games of two players come to, while they are played and in the end.
 * Threading: free functions. */
#pragma once
#include "play/match/sprt.h"

/* While the games are played. */
typedef struct {
    int done;      /* games that are over, also those that count for nobody */
    int counted;   /* those that count */
    double points; /* of the first players, in them */
} MatchStanding;

/* In the end. */
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
double match_score(const MatchResult *result); /* of player 0, draws half, 0..1 */

typedef struct {
    char text[16];
} MatchScoreText;
/* "51.2%" of the first players' points; "-": no game counts yet. */
MatchScoreText match_score_text(const MatchStanding *standing);
