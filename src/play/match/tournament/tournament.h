/* tournament.h - games between any number of players. The caller lists the pairings; in each
 * pairing, every opening is played from both sides. Games of all pairings run at the same time, and
 * the searches of each player share batches. The games and openings of a pairing depend only on its
 * two players and the seed, not on the other pairings or the number of threads. Finished games in
 * `out_directory` are not played again. Threading: confined (threads inside). */
#pragma once
#include "play/match/tournament/tournament_setup.h"

/* Plays the games. results[pairing_count] counts the games that were finished, also on failure. The
 * errors are those of match_run(), and ERR_ARGUMENT of tournament_setup_check(). */
MUST_USE Status tournament_run(const TournamentSetup *setup, MatchResult *results, Error *err);
