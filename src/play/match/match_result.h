/* match_result.h - the results of the games of two players, while they are played and in the end.
 * Threading: free functions. */
#pragma once
#include "play/match/sprt.h"

/* While the games are played. */
typedef struct {
    int done;      /* games that are over, with those that count for nobody */
    int counted;   /* games that count */
    double points; /* of the first players, in games that count */
} MatchStanding;

/* Of all games of a pairing. */
typedef struct {
    int games, wins[2], draws; /* of player 0 and 1 */
    int wins_as_black[2], games_as_black[2];
    int failures[2]; /* games lost by a crash, time or an illegal move; wins of the other player */
    int distinct;    /* number of different games, by moves and by the colors of the players */
    int unfinished;  /* games not in `games`, since a program refused a legal move */
    int64_t pairs[SPRT_OUTCOMES]; /* [k]: pairs of games in which player 0 won k / 2 points */
    SprtAnswer sprt;              /* of `pairs`, if the setup has a test */
    double seconds, evaluations;  /* of the whole match or tournament */
    double mean_moves;            /* per game */
} MatchResult;
/* The points of player 0 per game, 0..1, with 0.5 for a draw. */
double match_score(const MatchResult *result);

typedef struct {
    char text[16];
} MatchScoreText;
/* "51.2%" of the first players' points; "-": no game counts yet. */
MatchScoreText match_score_text(const MatchStanding *standing);
