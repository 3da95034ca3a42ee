/* selfplay_opening.h - what comes before the first recorded turn of a self-play game. Call
 * selfplay_opening_set_up() once, then selfplay_opening_next() and, when the search that it began is
 * done, selfplay_opening_receive(), in turn, until the game is ready. Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"

/* Draws the game and where it begins. */
MUST_USE Status selfplay_opening_set_up(SelfplayGame *game, const SelfplayGameSetup *setup,
                                        Error *err);
/* Begins the next evaluation or search before the first recorded turn. *ready: there is none, and
 * the game's position is that of the first turn. */
MUST_USE Status selfplay_opening_next(SelfplayGame *game, bool *ready, Error *err);
/* Such a search is done. */
MUST_USE Status selfplay_opening_receive(SelfplayGame *game, const Report *report, Error *err);
