/* selfplay_opening.h - everything before the first recorded turn of a self-play game. Call
 * selfplay_opening_set_up() once; then selfplay_opening_next(), and selfplay_opening_receive()
 * when the search that it began is done, until the game is ready. Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"

/* Draws the game and sets up the position at which it begins. */
MUST_USE Status selfplay_opening_set_up(SelfplayGame *game, const SelfplayGameSetup *setup,
                                        Error *err);
/* Begins the next evaluation or search before the first recorded turn. *ready: there is none,
 * and the game's position is that of the first turn. */
MUST_USE Status selfplay_opening_next(SelfplayGame *game, bool *ready, Error *err);
/* Takes what such a search found. */
MUST_USE Status selfplay_opening_receive(SelfplayGame *game, const Report *report, Error *err);
