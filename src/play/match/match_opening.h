/* match_opening.h - random openings of the games of a match. Each opening is given by a seed, and
 * all are different as far as the board allows. Threading: free functions. */
#pragma once
#include "play/match/tournament/tournament_setup.h"

/* Returns a random legal move that fills no eye of the mover, or a pass if there is no such move.
 * With `may_pass`, sometimes returns a pass also if only one or two such moves are left. */
Point match_random_move(const Position *position, Rng *rng, bool may_pass);
/* Replaces `*out` by the position after the opening of `seed`. */
MUST_USE Status match_play_opening(const TournamentSetup *setup, uint64_t seed, Position *out,
                                   Error *err);
/* Draws the seeds of `pairs` openings; two games share each of them. The positions after the
 * openings differ, as long as the board has enough of them. Each pairing has its own `salt`, so
 * that it gets other openings than the other pairings. The caller frees `*out`. */
MUST_USE Status match_draw_openings(const TournamentSetup *setup, uint64_t salt, int pairs,
                                    uint64_t **out, Error *err);
