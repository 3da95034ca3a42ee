/* tournament.h - games between any number of players: a list of pairings, each played from both
 * sides. Games of all pairings run at once, with the leaves of each net in shared batches. The
 * games and openings of a pairing depend only on its two players and the seed: neither on the other
 * pairings nor on the number of threads. Finished games in `out_directory` are not played again.
 * Threading: confined (threads inside). */
#pragma once
#include "play/match/tournament_setup.h"

/* results[pairing_count]: the games that were finished, also on failure. Errors as match_run(), and
 * ERR_ARGUMENT as tournament_setup_check(). */
MUST_USE Status tournament_run(const TournamentSetup *setup, MatchResult *results, Error *err);
