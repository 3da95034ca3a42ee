/* tournament.h - games of any number of players: a list of pairings, each played from both sides.
 * The games of all pairings run side by side, the leaves of each net in shared batches. What a
 * pairing plays, its openings too, depends on its two players and the seed alone: neither on the
 * other pairings nor on the threads. Resumes from the games in `out_directory`. Threading: confined
 * (threads inside). */
#pragma once
#include "play/match/tournament_setup.h"

/* results[pairing_count]: what was finished, also on failure. Fails as match_run() does, and with
 * ERR_ARGUMENT where two players have one name, or a pairing is impossible. */
MUST_USE Status tournament_run(const TournamentSetup *setup, MatchResult *results, Error *err);
