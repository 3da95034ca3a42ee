/* tournament_count.h - counts the results of a tournament: for the sequential test while games are
 * played, and their sums in the end. Threading: as each function says. */
#pragma once
#include "play/match/tournament_state.h"

/* Keeps the result of a game and adds it to the standing. The lock is held, or no worker runs. */
void tournament_keep_result(Tournament *tournament, int pairing, int number,
                            const GameResult *result);
/* Keeps the result of a game, updates the sequential test and calls on_game. Takes the lock. */
void tournament_finish_game(Tournament *tournament, const ActiveGame *game,
                            const GameResult *result);
/* Returns the hash of a game's moves up to `move`. moves_hash: that of the moves before it, at
 * first 0. */
uint64_t tournament_hash_move(uint64_t moves_hash, Move move);
/* Sums the results of a pairing; if the test was decided, of the games up to that pair of games.
 * ERR_MEMORY. */
MUST_USE Status tournament_sum_results(const Tournament *tournament, int pairing, MatchResult *out,
                                       Error *err);
/* Counts pairs of games for the sequential test, in the order of their numbers up to the first that
 * is not finished. So the decision does not depend on which games end first. Ends the tournament
 * when the test is decided. The lock is held, or no worker runs. */
void tournament_update_test(Tournament *tournament);
