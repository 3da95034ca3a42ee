/* match_opening.h - random openings, each as an own seed, all different as far as the board allows.
 * Threading: free functions. */
#pragma once
#include "play/match/tournament_setup.h"

/* A legal move that fills no eye of the mover's; pass where there is none, and with `may_pass`
 * sometimes near the end. */
Point match_random_move(const Position *position, Rng *rng, bool may_pass);
/* The position after the opening of `seed`, in place of what `out` held. */
MUST_USE Status match_play_opening(const TournamentSetup *setup, uint64_t seed, Position *out,
                                   Error *err);
/* Seeds of `pairs` openings that all differ, as far as there are so many; others with another
 * `salt`. free() */
MUST_USE Status match_draw_openings(const TournamentSetup *setup, uint64_t salt, int pairs,
                                    uint64_t **out, Error *err);
