/* selfplay_search.h - sets up the searches of one self-play game: its settings with what was drawn
 * for the game, and quiet searches of other positions or with another komi. Threading: confined. */
#pragma once
#include "play/selfplay/selfplay_state.h"

/* What a draw is worth for White in this game, in wins. */
float selfplay_search_draw_wins(const SelfplayGame *game);
/* The game's search gets these settings, and the advantage that `mover` has in this game. */
MUST_USE Status selfplay_search_set_settings(SelfplayGame *game, const SearchSettings *settings,
                                             Color mover, Error *err);
/* Begins a search of `visits` of a position that need not be the game's, without noise. */
MUST_USE Status selfplay_search_other(SelfplayGame *game, Stage stage, const Position *position,
                                      int visits, Error *err);
/* The same with another komi, which the position has for this search alone. */
MUST_USE Status selfplay_search_komi(SelfplayGame *game, Stage stage, const KomiSearch *wanted,
                                     Error *err);
