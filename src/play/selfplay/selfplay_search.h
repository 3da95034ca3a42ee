/* selfplay_search.h - sets up the searches of one self-play game. Their settings include what was
 * drawn for the game. Searches other than those of turns have no noise; they may be of other
 * positions or have another komi. Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"

/* Returns the value of a draw for White in this game, in wins: 0 to 1. */
float selfplay_search_draw_wins(const SelfplayGame *game);
/* Gives these settings to the search of the game, with the draw value, the no-result utility and
 * the playout doubling advantage that `mover` has in this game. */
MUST_USE Status selfplay_search_set_settings(SelfplayGame *game, const SearchSettings *settings,
                                             Color mover, Error *err);
/* Begins a search without noise of a position, which need not be that of the game, with `visits`
 * visits. */
MUST_USE Status selfplay_search_other(SelfplayGame *game, Stage stage, const Position *position,
                                      int visits, Error *err);
/* Begins such a search with another komi, which the position has only during this call. */
MUST_USE Status selfplay_search_komi(SelfplayGame *game, Stage stage, const KomiSearch *wanted,
                                     Error *err);
