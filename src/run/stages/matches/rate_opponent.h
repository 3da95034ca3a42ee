/* rate_opponent.h - which earlier nets a net plays for its rating, if they are drawn: games whose
 * result is most uncertain say most about the difference of two players. Wu 2019 draws opponents in
 * proportion to the variance of the result, p (1 - p). Threading: free functions. */
#pragma once
#include "base/rng.h"
#include "play/match/elo.h"
#include "run/store/index/net_ratings.h"

/* Draws an opponent of net `newest` among random play (number 0) and the rated nets, without itself
 * and without the nets that it has played in `games`. The probability of an opponent is in
 * proportion to p (1 - p), where p is the score that the ratings expect of the net against it.
 * Returns the number of the opponent, or -1 if there is none, or if the net itself is not rated. */
int rate_opponent_draw(const NetRatings *ratings, int newest, const EloGames *games, int game_count,
                       Rng *rng);
