/* selfplay_opening.h - everything before the first recorded turn of a self-play game. Call
 * selfplay_opening_set_up() once. Then repeat, until the game is ready: call
 * selfplay_opening_next(), and when the search that it began is done, call
 * selfplay_opening_receive(). Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"

/* Draws the size, rules, komi and handicap of the game, and sets up the position at which it
 * begins. */
MUST_USE Status selfplay_opening_set_up(SelfplayGame *game, const SelfplayGameSetup *setup,
                                        Error *err);
/* Begins the next evaluation or search before the first recorded turn. If there is none, sets
 * `*ready` to true: the game's position is then that of the first turn. */
MUST_USE Status selfplay_opening_next(SelfplayGame *game, bool *ready, Error *err);
/* Takes what the search that selfplay_opening_next() began has found. */
MUST_USE Status selfplay_opening_receive(SelfplayGame *game, const Report *report, Error *err);
