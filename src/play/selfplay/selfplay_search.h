/* selfplay_search.h - sets up the searches of one self-play game. Their settings include what was
 * drawn for the game. The searches of the last two functions have no noise, and may have another
 * position or komi than the game. Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"

/* Returns the value of a draw for White in this game, in wins: 0 to 1. */
float selfplay_search_draw_wins(const SelfplayGame *game);
/* Gives `settings` to the search of the game, with the changes that were drawn for this game. They
 * change the value of a draw, the utility of no result, and the playout doubling advantage of
 * `mover`. */
MUST_USE Status selfplay_search_set_settings(SelfplayGame *game, const SearchSettings *settings,
                                             Color mover, Error *err);
/* Begins a search of `visits` visits, without noise. `position` need not be the position of the
 * game. */
MUST_USE Status selfplay_search_other(SelfplayGame *game, Stage stage, const Position *position,
                                      int visits, Error *err);
/* Begins a search without noise with the position, komi and visits of `wanted`. The position itself
 * has this komi only during the call. */
MUST_USE Status selfplay_search_komi(SelfplayGame *game, Stage stage, const KomiSearch *wanted,
                                     Error *err);
