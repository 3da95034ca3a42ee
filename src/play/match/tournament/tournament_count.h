/* tournament_count.h - counts the results of a tournament. While games are played, it counts them
 * for the sequential test (sprt.h); in the end it sums them for each pairing. Threading: as each
 * function says. */
#pragma once
#include "play/match/tournament/tournament_state.h"

/* Stores the result of a game and adds it to the standing. The caller holds the lock, or no worker
 * runs. */
void tournament_keep_result(Tournament *tournament, int pairing, int number,
                            const GameResult *result);
/* Stores the result of a game, updates the sequential test and calls on_game. Takes the lock. */
void tournament_finish_game(Tournament *tournament, const ActiveGame *game,
                            const GameResult *result);
/* Returns the hash of a game's moves up to `move`. `moves_hash` is the hash of the moves before it;
 * it is 0 for the first move. */
uint64_t tournament_hash_move(uint64_t moves_hash, Move move);
/* Adds the results of a pairing to `*out`, which the caller has set to {0}. If the test was
 * decided, or pass_score, only games up to the deciding pair of games count. Fails only with
 * ERR_MEMORY. */
MUST_USE Status tournament_sum_results(const Tournament *tournament, int pairing, MatchResult *out,
                                       Error *err);
/* Counts pairs of games for the sequential test and for pass_score, in the order of their numbers,
 * up to the first pair that is not finished. So the decision does not depend on which games end
 * first. Ends the tournament when the test has decided, or when it is certain whether pass_score is
 * reached. The caller holds the lock, or no worker runs. */
void tournament_update_test(Tournament *tournament);
