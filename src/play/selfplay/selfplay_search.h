/* selfplay_search.h - sets up the searches of one self-play game: settings with what was drawn
 * for the game, and searches without noise, of other positions or with another komi. Threading:
 * confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"

/* The value of a draw for White in this game, in wins: 0 to 1. */
float selfplay_search_draw_wins(const SelfplayGame *game);
/* Gives these settings to the search of the game, with the draw value, the no-result utility and
 * the playout doubling advantage that `mover` has in this game. */
MUST_USE Status selfplay_search_set_settings(SelfplayGame *game, const SearchSettings *settings,
                                             Color mover, Error *err);
/* Begins a search without noise of a position, which need not be that of the game, with `visits`
 * visits. */
MUST_USE Status selfplay_search_other(SelfplayGame *game, Stage stage, const Position *position,
                                      int visits, Error *err);
/* The same with another komi: the position has it during this call only. */
MUST_USE Status selfplay_search_komi(SelfplayGame *game, Stage stage, const KomiSearch *wanted,
                                     Error *err);
