/* match_opening.h - random openings. Each is given by a seed, and all are different as far as the
 * board allows. Threading: free functions. */
#pragma once
#include "play/match/tournament_setup.h"

/* Returns a random legal move that fills no eye of the mover. Passes if there is none and, with
 * `may_pass`, sometimes if only one or two are left. */
Point match_random_move(const Position *position, Rng *rng, bool may_pass);
/* Replaces `*out` by the position after the opening of `seed`. */
MUST_USE Status match_play_opening(const TournamentSetup *setup, uint64_t seed, Position *out,
                                   Error *err);
/* Draws the seeds of `pairs` openings, one for two games. Their positions differ, as long as there
 * are enough of them. `salt` makes them different from those of other pairings. The caller frees
 * `*out`. */
MUST_USE Status match_draw_openings(const TournamentSetup *setup, uint64_t salt, int pairs,
                                    uint64_t **out, Error *err);
